"""The weights of computer players, found by play against themselves.

python -m workers.tuning VARIANT [SEATS [ROUNDS [SEED [START]]]]        (./run tune canasta)

climb      the one loop: a round, a match, the weights that many rounds lead to
family     what it asks of a family of games
canasta    the habits of the canasta family's evaluator
botifarra  the weights of botifarra's quick player
forecast   what the canasta family's master expects of a deal under way (--forecast)

The same arguments give the same weights.
"""
