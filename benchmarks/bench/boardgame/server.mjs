// A game of tricks on boardgame.io's own server, in memory: the peer of ./run bench.
//
// Four players with twelve cards each play a card in turn; four make a trick, and after twelve new
// cards are dealt, without end. Whose card it is decides the suit's highest; nothing else is
// checked, so a move costs the rules less than one of botifarra. Each player sees their own hand.
// Says where it listens in its first line, and ends with its standard input.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Server } = require("boardgame.io/server");
const { PlayerView } = require("boardgame.io/core");

const PACK = ["O", "C", "E", "B"].flatMap((suit) => Array.from({ length: 12 }, (_, i) => suit + (i + 1)));

function deal(G, random) {
  const pack = random.Shuffle(PACK);
  for (const seat of [0, 1, 2, 3]) {
    G.players[seat] = { hand: pack.slice(seat * 12, seat * 12 + 12) };
  }
}

const game = {
  name: "peer",
  minPlayers: 4,
  maxPlayers: 4,
  setup: ({ random }) => {
    const G = { players: {}, trick: [], last: [], tricks: [0, 0], deals: 1 };
    deal(G, random);
    return G;
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID, random }, place) => {
        const [card] = G.players[playerID].hand.splice(place, 1);
        G.trick.push({ seat: Number(playerID), card });
        if (G.trick.length < 4) return;
        const led = G.trick[0].card[0];
        const able = G.trick.filter((one) => one.card[0] === led);
        const best = able.reduce((a, b) => (+b.card.slice(1) > +a.card.slice(1) ? b : a));
        G.tricks[best.seat % 2] += 1;
        G.last = G.trick;
        G.trick = [];
        if (Object.values(G.players).every((one) => one.hand.length === 0)) {
          G.deals += 1;
          deal(G, random);
        }
      },
    },
  },
};

const server = Server({ games: [game], origins: [] });
const { appServer } = await server.run({ port: 0 });
console.log(`http://127.0.0.1:${appServer.address().port}`);
process.stdin.on("end", () => process.exit()).resume();
