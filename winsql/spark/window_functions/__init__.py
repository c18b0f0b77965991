"""Window functions, calls with OVER, over results of windows of a stream, in the micro-batch that ends these."""
