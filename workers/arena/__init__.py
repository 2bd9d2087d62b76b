"""The arena: levels of computer players against each other on the same cards.

__main__   what is asked for ──► matches
match      pairs of games, in processes
game       one game, without service or store
players    who sits there: a level, or a level as another folder has it
figures    win rates, differences and their intervals
report     progress while it goes on, tables at the end
"""
