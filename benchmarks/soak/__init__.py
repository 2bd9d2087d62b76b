"""A trial by fire: people play over failing wires while everything they rely on is killed.

    clients ──► wire ──► API ──► wire ──► server
    (journal)  (loses     │     (loses
                answers)  └──► workers, sweep            faults kill, freeze and cut all of these

Afterwards `proof` compares what each client was told with what the log holds.
"""
