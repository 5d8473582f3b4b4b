"""One module a kind of perturbation; its name is the kind's. It offers `perturb(item)`, which returns a `Variant`."""
