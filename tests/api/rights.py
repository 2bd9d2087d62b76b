"""Who may do what: every call of the contract, every kind of caller, and the answer.

A row is a moment of the game, the scope that the call wants, the call, a cell for each caller,
and a body. Moments: the table `waits` for people, it `plays`, the game is `over`, or `any` where
no game is meant. A scope is `-` for calls without a token, `any` for those that every token may
make, `usual` for those that want all scopes of a first token; `any+play` is a call for every token
where what is asked for wants `play` all the same.

    anon   has no token                          shut   at a table without spectators, has no seat
    turn   is to act (before the start: host)    out    at a private table, has no seat
    mate   sits on the other seat of that side   asks   the same with the invite code
    foe    sits on the next seat                 quit   gave the seat up: before the start, or
    eye    has no seat, at a public table               resigned at a table that plays on
    late   the same where spectators are late    old    left a private table; another has the seat
                                                 maker  opened a private table and stands
                                                        (to sit down there takes the code)

Cells are in `MEANS`. In paths and bodies stand `{game}`; `{seat}`, `{token}`, `{mine}`, `{hook}`
and `{delivery}`, which are the seat of `turn`, one of their tokens, a job, a webhook of theirs and
what was sent to it; `{player}`, who is `turn`, and `{hidden}`, the same when they do not want to be
seen; `{job}`, an audit of the game, `{hint}`, one for `turn`, and `{begun}`, its first version with
cards.
"""

from typing import Final

CALLERS: Final = (
    *("anon", "turn", "mate", "foe", "eye", "late"),
    *("shut", "out", "asks", "quit", "old", "maker"),
)

MEANS: Final[dict[str, tuple[int, str]]] = {
    "+": (200, ""),  # or another success
    "l": (200, "late"),  # what it shows is of an earlier version
    "a": (401, "unauthorized"),
    "w": (403, "no_spectators"),
    "s": (403, "no_seat"),
    "y": (403, "not_your_seat"),
    "n": (404, "not_found"),
    "k": (404, "link_invalid"),
    "b": (409, "already_started"),
    "h": (409, "not_host"),
    "o": (409, "not_over"),
    "p": (409, "not_started"),
    "t": (409, "not_your_turn"),
    "u": (409, "nothing_to_play"),
    "g": (410, "game_over"),
}

TABLE: Final = """
#     scope    call                                       an tu ma fo ey la sh ou as qu ol mk

any   -        GET    /                                   +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /healthz                            +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /readyz                             +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /openapi.yaml                       +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /docs                               +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /docs/page.css                      +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /metrics                            a  a  a  a  a  a  a  a  a  a  a  a
any   -        GET    /v1/variants                        +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /v1/variants/canasta                +  +  +  +  +  +  +  +  +  +  +  +
any   -        GET    /v1/variants/bolivia/rules/3.5.3    +  +  +  +  +  +  +  +  +  +  +  +
any   -        POST   /v1/players                         +  +  +  +  +  +  +  +  +  +  +  +  {"name": "Eve"}
any   -        POST   /v1/tokens                          k  k  k  k  k  k  k  k  k  k  k  k  {"link": "0000-0000-0000"}

any   any      GET    /v1/me                              a  +  +  +  +  +  +  +  +  +  +  +
any   usual    GET    /v1/me/tokens                       a  +  +  +  +  +  +  +  +  +  +  +
any   usual    POST   /v1/me/tokens                       a  +  +  +  +  +  +  +  +  +  +  +  {"scopes": ["play"]}
any   usual    DELETE /v1/me/tokens/{token}               a  +  n  n  n  n  n  n  n  n  n  n
any   usual    POST   /v1/me/link                         a  +  +  +  +  +  +  +  +  +  +  +  {}
any   any      GET    /v1/jobs/{mine}                     a  +  n  n  n  n  n  n  n  n  n  n
any   usual    PUT    /v1/me/listed                       a  +  +  +  +  +  +  +  +  +  +  +  {"listed": true}
any   lobby    GET    /v1/me/statistics                   a  +  +  +  +  +  +  +  +  +  +  +
any   lobby    GET    /v1/players/{player}/statistics     a  +  +  +  +  +  +  +  +  +  +  +
any   lobby    GET    /v1/players/{player}/ratings/canasta a  +  +  +  +  +  +  +  +  +  +  +
any   lobby    GET    /v1/players/{hidden}/statistics     a  +  n  n  n  n  n  n  n  n  n  n
any   lobby    GET    /v1/players/{hidden}/ratings/canasta a  +  n  n  n  n  n  n  n  n  n  n
any   lobby    GET    /v1/variants/canasta/statistics     a  +  +  +  +  +  +  +  +  +  +  +
any   lobby    GET    /v1/variants/canasta/leaderboard    a  +  +  +  +  +  +  +  +  +  +  +
any   lobby    GET    /v1/me/games                        a  +  +  +  +  +  +  +  +  +  +  +
any   lobby    GET    /v1/games                           a  +  +  +  +  +  +  +  +  +  +  +
any   lobby    POST   /v1/games                           a  +  +  +  +  +  +  +  +  +  +  +  {"variant": "botifarra", "seats": [{"kind": "human"}, {"kind": "human"}, {"kind": "human"}, {"kind": "human"}]}
any   lobby    POST   /v1/matches                         a  +  +  +  +  +  +  +  +  +  +  +  {"variant": "samba", "seats": 2}
any   export   GET    /v1/export                          a  +  +  +  +  +  +  +  +  +  +  +
any   export   POST   /v1/audits                          a  +  +  +  +  +  +  +  +  +  +  +  "no record"
any   export   POST   /v1/records                         a  +  +  +  +  +  +  +  +  +  +  +  "no record"

any   webhook  GET    /v1/webhooks                        a  +  +  +  +  +  +  +  +  +  +  +
any   webhook  POST   /v1/webhooks                        a  +  +  +  +  +  +  +  +  +  +  +  {"url": "https://bot.example/"}
any   webhook  GET    /v1/webhooks/{hook}                 a  +  n  n  n  n  n  n  n  n  n  n
any   webhook  PATCH  /v1/webhooks/{hook}                 a  +  n  n  n  n  n  n  n  n  n  n  {"enabled": true}
any   webhook  DELETE /v1/webhooks/{hook}                 a  +  n  n  n  n  n  n  n  n  n  n
any   webhook  POST   /v1/webhooks/{hook}/secret          a  +  n  n  n  n  n  n  n  n  n  n  {}
any   webhook  POST   /v1/webhooks/{hook}/test            a  +  n  n  n  n  n  n  n  n  n  n  {}
any   webhook  GET    /v1/webhooks/{hook}/deliveries      a  +  n  n  n  n  n  n  n  n  n  n
any   webhook  POST   /v1/webhooks/{hook}/deliveries/{delivery}/redeliver a  +  n  n  n  n  n  n  n  n  n  n  {}

#     scope    call                                       an tu ma fo ey la sh ou as qu ol mk

waits spectate GET    /v1/games/{game}                    a  +  +  +  +  +  +  n  +  +  n  +
waits spectate GET    /v1/games/{game}/turn               a  +  +  +  +  +  +  n  +  +  n  +
waits spectate GET    /v1/games/{game}/events             a  +  +  +  +  +  +  n  +  +  n  +
waits spectate GET    /v1/games/{game}/steps              a  +  +  +  +  +  +  n  +  +  n  +
waits play     GET    /v1/games/{game}/commands           a  +  +  +  +  +  +  n  +  +  n  +
waits play     POST   /v1/games/{game}/commands           a  +  +  +  s  s  s  n  s  s  n  s  {"type": "move_seat", "to": 3}
waits play     POST   /v1/games/{game}/commands           a  +  h  h  s  s  s  n  s  s  n  s  {"type": "swap_seats", "one": 0, "other": 1}
waits play     POST   /v1/games/{game}/commands           a  +  h  h  s  s  s  n  s  s  n  s  {"type": "change_invite"}
waits play     POST   /v1/games/{game}/commands           a  +  h  h  s  s  s  n  s  s  n  s  {"type": "fill_seat", "place": 3, "level": "novice"}
waits play     POST   /v1/games/{game}/commands           a  p  p  p  s  s  s  n  s  s  n  s  {"type": "draw"}
waits play     POST   /v1/games/{game}/hints              a  p  p  p  s  s  s  n  s  s  n  s
waits play     PUT    /v1/games/{game}/seats/{seat}       a  +  y  y  s  s  s  n  s  s  n  s  {"nonce": "luck"}
waits lobby    POST   /v1/games/{game}/seats              a  +  +  +  +  +  +  n  +  +  n  n  {}
waits lobby    DELETE /v1/games/{game}/seats/{seat}       a  +  y  y  s  s  s  n  s  s  n  s
waits lobby    POST   /v1/games/{game}/rematch            a  o  o  o  o  o  o  n  o  o  n  o
waits export   GET    /v1/games/{game}/record             a  o  o  o  o  o  o  n  o  o  n  o
waits export   GET    /v1/games/{game}/audit              a  o  o  o  o  o  o  n  o  o  n  o
waits export   GET    /v1/games/{game}/analysis           a  o  o  o  o  o  o  n  o  o  n  o
waits export   POST   /v1/audits                          a  o  o  o  o  o  o  n  o  o  n  o  {"game": "{game}"}

#     scope    call                                       an tu ma fo ey la sh ou as qu ol mk

plays spectate GET    /v1/games/{game}                    a  +  +  +  +  l  w  n  +  +  n  +
plays spectate GET    /v1/games/{game}/turn               a  +  +  +  +  l  w  n  +  +  n  +
plays spectate GET    /v1/games/{game}?at=1               a  +  +  +  +  l  w  n  +  +  n  +
plays spectate GET    /v1/games/{game}?as={seat}          a  +  o  o  o  o  w  n  o  o  n  o
plays spectate GET    /v1/games/{game}?as=all             a  o  o  o  o  o  w  n  o  o  n  o
plays spectate GET    /v1/games/{game}/events             a  +  +  +  +  l  w  n  +  +  n  +
plays spectate GET    /v1/games/{game}/events?as={seat}   a  +  o  o  o  o  w  n  o  o  n  o
plays spectate GET    /v1/games/{game}/steps              a  +  +  +  +  l  w  n  +  +  n  +
plays spectate GET    /v1/games/{game}/steps?as=all       a  o  o  o  o  o  w  n  o  o  n  o
plays play     GET    /v1/games/{game}/commands           a  +  +  +  +  l  w  n  +  +  n  +
plays play     POST   /v1/games/{game}/commands           a  +  t  t  s  s  s  n  s  s  n  s  {"type": "draw"}
plays play     POST   /v1/games/{game}/commands           a  +  +  +  s  s  s  n  s  s  n  s  {"type": "resign"}
plays play     POST   /v1/games/{game}/commands           a  +  +  +  s  s  s  n  s  s  n  s  {"type": "abandon"}
plays play     POST   /v1/games/{game}/commands           a  b  b  b  s  s  s  n  s  s  n  s  {"type": "move_seat", "to": 3}
plays play     POST   /v1/games/{game}/hints              a  +  t  t  s  s  s  n  s  s  n  s
plays any+play GET    /v1/jobs/{hint}                     a  +  n  n  n  n  n  n  n  n  n  n
plays play     PUT    /v1/games/{game}/seats/{seat}       a  b  y  y  s  s  s  n  s  s  n  s  {"nonce": "luck"}
plays lobby    POST   /v1/games/{game}/seats              a  +  +  +  b  b  b  n  b  b  n  n  {}
plays lobby    DELETE /v1/games/{game}/seats/{seat}       a  b  y  y  s  s  s  n  s  s  n  s
plays lobby    POST   /v1/games/{game}/rematch            a  o  o  o  o  o  w  n  o  o  n  o
plays lobby    POST   /v1/games                           a  o  o  o  o  o  w  n  o  o  n  o  {"from": {"game": "{game}", "version": 1}}
plays export   GET    /v1/games/{game}/record             a  o  o  o  o  o  w  n  o  o  n  o
plays export   GET    /v1/games/{game}/audit              a  o  o  o  o  o  w  n  o  o  n  o
plays export   GET    /v1/games/{game}/analysis           a  o  o  o  o  o  w  n  o  o  n  o
plays export   POST   /v1/audits                          a  o  o  o  o  o  w  n  o  o  n  o  {"game": "{game}"}

#     scope    call                                       an tu ma fo ey la sh ou as qu ol mk

over  spectate GET    /v1/games/{game}                    a  +  +  +  +  +  +  n  +  +  n  +
over  spectate GET    /v1/games/{game}/turn               a  +  +  +  +  +  +  n  +  +  n  +
over  spectate GET    /v1/games/{game}?as=all             a  +  +  +  +  +  +  n  +  +  n  +
over  spectate GET    /v1/games/{game}/events?as={seat}   a  +  +  +  +  +  +  n  +  +  n  +
over  spectate GET    /v1/games/{game}/steps?as=all       a  +  +  +  +  +  +  n  +  +  n  +
over  play     GET    /v1/games/{game}/commands           a  +  +  +  +  +  +  n  +  +  n  +
over  play     POST   /v1/games/{game}/commands           a  g  g  g  g  g  g  n  g  g  n  g  {"type": "draw"}
over  play     POST   /v1/games/{game}/hints              a  g  g  g  g  g  g  n  g  g  n  g
over  play     PUT    /v1/games/{game}/seats/{seat}       a  g  g  g  g  g  g  n  g  g  n  g  {"nonce": "luck"}
over  lobby    POST   /v1/games/{game}/seats              a  +  +  +  g  g  g  n  g  g  n  n  {}
over  lobby    DELETE /v1/games/{game}/seats/{seat}       a  g  g  g  g  g  g  n  g  g  n  g
over  lobby    POST   /v1/games/{game}/rematch            a  +  +  +  s  s  s  n  s  +  n  s
over  lobby    POST   /v1/games                           a  +  +  +  +  +  +  n  +  +  n  +  {"from": {"game": "{game}", "version": {begun}}}
over  export   GET    /v1/games/{game}/record             a  +  +  +  +  +  +  n  +  +  n  +
over  export   GET    /v1/games/{game}/audit              a  +  +  +  +  +  +  n  +  +  n  +
over  export   GET    /v1/games/{game}/analysis           a  +  +  +  +  +  +  n  +  +  n  +
over  export   POST   /v1/audits                          a  +  +  +  +  +  +  n  +  +  n  +  {"game": "{game}"}
over  any      GET    /v1/jobs/{job}                      a  +  +  +  +  +  +  n  +  +  n  +
"""  # noqa: E501
