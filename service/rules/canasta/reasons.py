"""Every reason for which the family says no: its code, its paragraph, its sentence.

Codes are stable for ever; sentences may change. None of them names a card.
"""

from typing import Final

from service.rules.errors import IllegalMove

REASONS: Final[dict[str, tuple[str, str]]] = {
    # Whose turn, and what it is time for
    "game_over": ("4.9", "The game has ended."),
    "deal_over": ("4.9", "No deal is going on; the house deals next."),
    "ask_pending": ("4.7", "A partner has been asked and must answer first."),
    "not_asked": ("4.7", "Nobody has asked a question."),
    "not_your_turn": ("3.1.3", "Another player is to act."),
    "wrong_phase": ("4.9", "This is not the time in the turn for that."),
    "wrong_pack": ("3.2.1", "The pack does not hold exactly the cards of this variant."),
    # Stock and pile
    "stock_empty": ("3.11", "The stock is empty."),
    "stock_not_empty": ("3.11", "Passing is possible only when the stock is empty."),
    "must_take_pile": ("3.11", "The top card fits one of your melds, so the pile must be taken."),
    "pile_empty": ("3.5.1", "The pile is empty."),
    "top_wild": ("3.5.1", "The pile cannot be taken while a wild card is on top."),
    "top_three": ("3.5.1", "The pile cannot be taken while a three is on top."),
    "one_card_pile": ("3.5.4", "A player with one card may not take a pile of one card."),
    "no_layoff_take": ("3.5", "The top card must be melded with two cards from the hand."),
    "pile_frozen": ("3.5", "The pile is frozen for your side; these cards cannot take it."),
    "need_two_matching_cards": (
        "3.5.2",
        "Two cards of the top card's rank, or one and a wild card, are needed from the hand.",
    ),
    "need_natural_pair": (
        "3.5.3",
        "Two natural cards of the top card's rank are needed from the hand.",
    ),
    "top_only_not_allowed": ("3.6", "This variant takes the whole pile or nothing."),
    "not_a_sequence": ("3.6", "The top card alone may go only onto a sequence."),
    "does_not_extend": ("3.6", "The top card does not prolong that sequence."),
    # Melds
    "card_not_in_hand": ("4.4", "You do not hold all of those cards."),
    "empty_command": ("4.4", "No cards are named."),
    "no_such_meld": ("3.7.5", "No meld on the table has that id."),
    "not_your_meld": ("3.7.5", "That meld belongs to another side."),
    "red_three_not_meldable": ("3.3.3", "Red threes are never melded."),
    "black_threes_stand_alone": ("3.7.4", "Black threes are melded with no other card."),
    "wild_meld_not_allowed": ("3.7.3", "This variant has no melds of wild cards alone."),
    "mixed_ranks": ("3.7.1", "The natural cards of a set must have one rank."),
    "meld_too_small": ("3.7", "A meld needs three cards."),
    "too_many_wilds": ("3.7.1", "That is more wild cards than a set may hold."),
    "not_enough_naturals": ("3.7.1", "That set needs more natural cards beside its wild cards."),
    "sequence_has_wild": ("3.7.2", "A sequence takes no wild cards."),
    "sequence_mixed_suits": ("3.7.2", "A sequence is of one suit."),
    "sequence_gap": ("3.7.2", "The cards do not follow one another from four up to ace."),
    "meld_full": ("3.7", "The meld would hold more cards than it may."),
    "meld_too_large": ("3.7.4", "That is more black threes than a meld may hold."),
    "rank_already_melded": ("3.7", "Your side has such a meld; add the cards to it."),
    "wild_meld_takes_only_wilds": ("3.7.3", "Only wild cards may join a meld of wild cards."),
    "three_cannot_extend": ("3.7.4", "Threes join no meld."),
    "below_minimum": (
        "3.8.1",
        "The first meld must be worth {minimum} points; these cards are worth {points}.",
    ),
    # Going out
    "black_threes_only_going_out": (
        "3.7.4",
        "Black threes are melded only in the turn in which the player goes out.",
    ),
    "keep_two_cards": ("3.10", "Two cards must stay in the hand of a player who may not go out."),
    "cannot_go_out": ("3.9.2", "Your side does not yet own the canastas needed to go out."),
    "hand_not_empty": ("4.6", "Going out must leave no card in the hand."),
    "partner_refused": ("3.13.2", "Your partner said no, so you may not go out in this turn."),
    "must_ask_partner": ("3.13.5", "You may go out only after your partner said yes."),
    "no_partner": ("3.13", "At this table nobody has a partner."),
    "already_asked": ("3.13.3", "The partner may be asked only once in a turn."),
    "ask_too_late": ("3.13.3", "With one card left it is too late to ask."),
    "not_partner": ("3.13.1", "Only the partner of the player who asked may answer."),
}


def refuse(code: str, **numbers: int) -> IllegalMove:
    """The refusal with that code, `numbers` filled into its sentence; to be raised."""
    return IllegalMove(code, *REASONS[code], numbers)
