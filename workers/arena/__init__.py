"""The arena: levels of computer players against each other on the same cards.

asked       words of a command line ──► matches
match       pairs of games; `processes` play them
game        one game, without service or store
players     who sits there: a level, or a level as another folder has it
far         the process that plays a level from that folder
served      a program against a level, over HTTP; `program` calls it
journal     a match's pairs in a file, so that it may be broken off
figures     win rates, differences and their intervals
tally       all figures of a match so far
report      those as tables; `progress` until then
"""
