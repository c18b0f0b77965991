"""Window functions, calls with OVER, over what windows of a stream give: in the micro-batch that ends them."""
