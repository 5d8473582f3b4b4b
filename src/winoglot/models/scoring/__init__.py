"""What families that compute scores themselves share: loading, batching, packing, output layers, tokens and words."""
