"""Tapete: card games over HTTP. The rules, the log of events, and the API."""
