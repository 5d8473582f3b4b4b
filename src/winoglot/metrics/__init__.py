"""One module a metric; its name is the metric's. It offers `estimate(run)`, a value with interval, n and method."""
