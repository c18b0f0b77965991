"""What goes wrong in Spark, said in the words and places of the user's statement."""
