"""Measurements and trials that take long, each a command of `./run`. No part of the service."""
