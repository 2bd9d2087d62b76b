"""Webhooks: what happens at a player's tables is told to a server of their own.

    a commit ──► herald ──► tell (a job) ──► messages ──► deliver (a job) ──► the receiver
                   sweep ──────┘                sweep ──────┘

    hooks      what an owner may do: make, change, rotate the secret, test, redeliver, look
    news       PURE. what of a game's commits is to be told, and to whom
    herald     calls for `teller` after a commit; never fails and hardly costs
    teller     turns news into messages, once each, from the log alone
    postman    makes one attempt after another at a hook's messages
    payload    the body of a message; signature signs it
    address    which URLs and addresses may be called; send calls them

Truth is in the games' logs and, for each game, the version up to which all was told. So whatever is
killed in between, the sweep finds what is missing. A message has an id that follows from its hook
and its event: made twice it is the same one.
"""
