// Players of the peer, four a game, each with a connection on which it hears every move.
//
//   node crowd.mjs URL GAMES
//   moves 1.5      ► moves a second, over all games; the next one is made when all four have heard
//   heard 100 10   ► milliseconds until another player heard, of so many moves with such pauses
import { createInterface } from "node:readline";
import { io } from "socket.io-client";

const [url, games] = [process.argv[2], Number(process.argv[3])];

async function post(path, body) {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function table() {
  const { matchID } = await post("/games/peer/create", { numPlayers: 4 });
  const seats = [];
  for (const playerID of ["0", "1", "2", "3"]) {
    const { playerCredentials } = await post(`/games/peer/${matchID}/join`, { playerID, playerName: playerID });
    const socket = io(`${url}/peer`, { transports: ["websocket"], forceNew: true });
    await new Promise((done) => {
      socket.on("sync", done);
      socket.on("connect", () => socket.emit("sync", matchID, playerID, playerCredentials, 4));
    });
    seats.push({ playerID, socket, credentials: playerCredentials });
  }
  const it = { matchID, seats, version: 0, turn: 0, waiting: 0, told: () => {} };
  for (const seat of seats) {
    seat.socket.on("update", (_, state) => {
      if (state._stateID <= it.version) return;
      it.told(seat);
      if (--it.waiting > 0) return;
      it.version = state._stateID;
      it.turn = Number(state.ctx.currentPlayer);
      it.done();
    });
  }
  return it;
}

// Makes one move; settles when all four have heard of it.
function move(it) {
  const { playerID, socket, credentials } = it.seats[it.turn];
  const payload = { type: "play", args: [0], playerID, credentials };
  return new Promise((done) => {
    Object.assign(it, { waiting: 4, done });
    socket.emit("update", { type: "MAKE_MOVE", payload }, it.version, it.matchID, playerID);
  });
}

async function moves(tables, seconds) {
  const began = performance.now();
  let made = 0;
  await Promise.all(
    tables.map(async (it) => {
      while (performance.now() - began < seconds * 1000) {
        await move(it);
        made += 1;
      }
    }),
  );
  return (made * 1000) / (performance.now() - began);
}

async function heard(it, times, pause) {
  const found = [];
  for (let number = 0; number < times; number += 1) {
    const other = it.seats[(it.turn + 1) % 4];
    const began = performance.now();
    it.told = (seat) => seat === other && found.push(performance.now() - began);
    await move(it);
    await new Promise((done) => setTimeout(done, pause));
  }
  it.told = () => {};
  return found;
}

const tables = [];
for (let number = 0; number < games; number += 1) tables.push(await table());
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [what, one, two] = line.split(" ");
  const said = what === "moves" ? await moves(tables, Number(one)) : await heard(tables[0], Number(one), Number(two));
  console.log(JSON.stringify(said));
}
process.exit();
