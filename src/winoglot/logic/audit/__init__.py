"""Audit a file of pairs, generated here or elsewhere: one module per question; `report` asks them all."""
