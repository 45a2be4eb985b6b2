"""How the weights in `companion/vision/weights` are made. Needs the extra `train`; reading never imports it."""
