// A computer player in TypeScript: any variant, no package, Node 22.18 or newer (or Deno, or Bun).
//
//     node examples/bot.ts [--base URL] [--variant NAME] [--seats N] [--target SCORE]
//     node examples/bot.ts --game ID [--invite CODE]     sits down at somebody's table
//     node examples/bot.ts --keep bot.json               started again, it plays on
//
// The same as bot.py: it waits by a stream (docs/live.md), names the version each command is meant
// for, and repeats a command whose answer was lost under the same key. Put your head into `choose`.

import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {parseArgs} from "node:util";

type Command = {type: string} & Record<string, unknown>;
type Commands = {version: number; commands: Command[]};
type Problem = {status: number; code: string; detail: string};
type Item = {id: string; type: string; data: Record<string, unknown>};
type Result = {winner: number | null; scores: number[]};
type Game = {id: string; you: number | null; seats: {side: number}[]; result: Result | null};
type Kept = {token?: string; game?: string};

/** Your bot's head. This one takes a kind first: there are many melds and one way to draw. */
function choose(commands: Command[]): Command {
  const any = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)] as T;
  const kind = any([...new Set(commands.map(command => command.type))]);
  return any(commands.filter(command => command.type === kind));
}

/** The service said no, for good. */
class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

const sleep = (ms: number) => new Promise(done => setTimeout(done, ms));

class Service {
  token = "";
  private readonly base: string;
  constructor(base: string) {
    this.base = base.replace(/\/$/, "") + "/v1";
  }

  /** An answer. Where none came, or a later one may be better, the same request is sent again. */
  async open(method: string, path: string, body?: unknown, more = {}, signal?: AbortSignal): Promise<Response> {
    const headers = {authorization: `Bearer ${this.token}`, "content-type": "application/json", ...more};
    for (let pause = 200; ; pause *= 2) {
      let answer: Response;
      try {
        answer = await fetch(this.base + path, {
          method, headers, body: body === undefined ? null : JSON.stringify(body),
          signal: signal ?? AbortSignal.timeout(45_000),
        });
      } catch (lost) {
        if (pause > 8000 || signal?.aborted) throw lost;
        await sleep(pause);
        continue;
      }
      if (answer.ok) return answer;
      const problem = (await answer.json()) as Problem;
      if ((answer.status !== 429 && answer.status < 500) || pause > 8000) throw new Refused(problem);
      await sleep(1000 * Number(answer.headers.get("retry-after") ?? pause / 1000));
    }
  }

  async call<T>(method: string, path: string, body?: unknown, more = {}): Promise<T> {
    return (await (await this.open(method, path, body, more)).json()) as T;
  }

  /** What happens there, item by item, to the end of the game; a cut stream goes on. */
  async *follow(game: string): AsyncGenerator<Item> {
    for (let after = ""; ; await sleep(500)) {
      const watch = new AbortController();
      let timer = setTimeout(() => watch.abort(), 45_000); // three heartbeats
      try {
        const path = `/games/${game}/events${after && "?after=" + after}`;
        const answer = await this.open("GET", path, undefined, {accept: "application/x-ndjson"}, watch.signal);
        const decoder = new TextDecoder();
        let text = "";
        for await (const piece of answer.body ?? []) {
          timer.refresh();
          const lines = (text + decoder.decode(piece, {stream: true})).split("\n");
          text = lines.pop() ?? "";
          for (const line of lines.filter(Boolean)) {
            const item = JSON.parse(line) as Item;
            if (item.type === "over") return;
            if (item.type === "problem") {
              const problem = JSON.parse(line) as Problem;
              if (problem.status < 500) throw new Refused(problem);
              continue;
            }
            after = item.id;
            yield item;
            timer.refresh();
          }
        }
      } catch (error) {
        if (error instanceof Refused) throw error; // all else: cut off, come back
      } finally {
        clearTimeout(timer);
        watch.abort();
      }
    }
  }
}

/** Does what may be done, as long as something may; gives how many commands that were. */
async function turn(service: Service, game: string): Promise<number> {
  for (let done = 0; ; ) {
    const path = `/games/${game}/commands`;
    const {version, commands} = await service.call<Commands>("GET", path);
    if (!commands.length) return done;
    const headers = {"if-match": `"${version}"`, "idempotency-key": crypto.randomUUID()};
    try {
      await service.call("POST", path, choose(commands), headers);
      done++;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.code === "game_over") return done;
      if (![409, 412].includes(error.problem.status)) throw error;
      // Somebody was faster, or the time was up: look again.
    }
  }
}

const {values: asked} = parseArgs({
  options: {
    base: {type: "string", default: "http://127.0.0.1:8080"},
    name: {type: "string", default: "Bot"},
    variant: {type: "string", default: "bolivia"},
    seats: {type: "string", default: "4"},
    target: {type: "string"},
    game: {type: "string"},
    invite: {type: "string"},
    keep: {type: "string"},
  },
});

/** A table to play at: the one that is named, or a new one with computer players. */
async function sitDown(service: Service): Promise<string> {
  if (asked.game) {
    await service.call("POST", `/games/${asked.game}/seats`, asked.invite ? {invite: asked.invite} : {});
    return asked.game;
  }
  const others = Array.from({length: Number(asked.seats) - 1}, () => ({kind: "ai", level: "casual"}));
  const options = asked.target ? {options: {target_score: Number(asked.target)}} : {};
  const wanted = {variant: asked.variant, seats: [{kind: "human"}, ...others], ...options};
  return (await service.call<Game>("POST", "/games", wanted, {"idempotency-key": crypto.randomUUID()})).id;
}

/** Keeps the token and the game, for nobody else to read. */
function keep(kept: Kept): void {
  if (asked.keep) writeFileSync(asked.keep, JSON.stringify(kept), {mode: 0o600});
}

const kept: Kept = asked.keep && existsSync(asked.keep) ? JSON.parse(readFileSync(asked.keep, "utf8")) : {};
const service = new Service(asked.base);
service.token =
  kept.token ?? (await service.call<{token: string}>("POST", "/players", {name: asked.name, bot: true})).token;
const game = kept.game ?? (await sitDown(service));
keep({token: service.token, game});

let moves = 0;
let seen = 0;
for await (const item of service.follow(game)) {
  const version = Number(item.id.split(".")[0]);
  if (version > seen) { // a commit has several items; one look at each is enough
    seen = version;
    moves += await turn(service, game);
  }
  if (item.type === "deal_scored") console.log(`deal ${item.data.deal}: ${item.data.scores}`);
}
keep({token: service.token});
const {result, seats, you} = await service.call<Game>("GET", `/games/${game}`);
const won = result?.winner != null && you !== null && seats[you]?.side === result.winner;
console.log(`${moves} moves`);
console.log(`${won ? "won" : "did not win"}: ${result?.scores}`);
