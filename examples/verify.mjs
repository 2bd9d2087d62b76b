#!/usr/bin/env node
// Checks records of finished games; USAGE, just below, says how.
//
// The second implementation of docs/record.md and docs/fairness.md, made from these pages alone. It
// knows no rule of any game. Node 18.3 or newer, no packages.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const USAGE = `usage: node examples/verify.mjs RECORD... [--head HASH] [--json]

Checks records of finished games by all that takes no rules.

  RECORD   a file with one record or many (an export), or - for standard input
  --head   a head that you kept while you played; some commit of each record must have it
  --json   a verdict a line, for programs
  --help   this

Exit code 0: all is sound; 1: something is not; 2: something could not be read, whatever else was
found. Guide: docs/auditing.md.`;

// Deals: docs/fairness.md

const ALGORITHM = "hmac-sha256-fisher-yates-1";

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256"));
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();

const hashOf = (bytes) => sha256(bytes).digest("base64url");
const commitmentTo = (secret) => sha256("tapete/commitment\n", secret).digest("hex");
const saltOf = (secret, version) =>
  hmac(secret, `tapete/salt\n${version}`).subarray(0, 16).toString("base64url");

function* wordsOf(key) {
  const block = Buffer.alloc(8);
  for (let number = 0n; ; number++) {
    block.writeBigUInt64BE(number);
    const digest = hmac(key, block);
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at);
  }
}

function below(bound, words) {
  const whole = Math.floor(2 ** 32 / bound) * bound;
  for (;;) {
    const word = words.next().value;
    if (word < whole) return word % bound;
  }
}

function firstDealer(secret, nonces, seats) {
  return below(seats, wordsOf(hmac(secret, `tapete/dealer\n${JSON.stringify(nonces)}`)));
}

function packOf(secret, nonces, deal, cards) {
  const words = wordsOf(hmac(secret, `tapete/deal ${deal}\n${JSON.stringify(nonces)}`));
  const pack = [...cards];
  for (let last = pack.length - 1; last > 0; last--) {
    const pick = below(last + 1, words);
    [pack[last], pack[pick]] = [pack[pick], pack[last]];
  }
  return pack;
}

// Lines: the fields of each, and their one form

const text = (value) => typeof value === "string";
const flag = (value) => typeof value === "boolean";
const whole = (value) => Number.isSafeInteger(value);
const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const one = (...values) => (value) => values.includes(value);
const maybe = (kind) => (value) => value === null || kind(value);
const list = (kind) => (value) => Array.isArray(value) && value.every(kind);
const table = (kind) => (value) => object(value) && Object.values(value).every(kind);
const has = (fields) => (value) =>
  object(value) && Object.entries(fields).every(([name, kind]) => kind(value[name]));
const just = (fields) => (value) =>
  has(fields)(value) && same(Object.keys(value), Object.keys(fields));
const same = (value, other) => JSON.stringify(value) === JSON.stringify(other);

// JavaScript puts names of digits before all others, whatever the file says.
const named = (value) => !object(value) || !Object.keys(value).some((name) => /^[0-9]+$/.test(name));
const thing = (value) =>
  has({ type: text })(value) && Object.keys(value)[0] === "type" && named(value) && named(value.options);
const reason = one("target", "deal_cap", "resigned", "abandoned");
const person = { level: maybe(text), player: maybe(text) };

const HEADER = just({
  type: one("header"),
  format: text,
  game: text,
  variant: text,
  rules_version: whole,
  options: (value) => table(whole)(value) && named(value),
  seats: list(just({ seat: whole, side: whole, kind: one("human", "ai"), ...person })),
  fair: flag,
  algorithm: text,
  commitment: text,
  nonces: list(maybe(text)),
  pack: list(text),
});
const FRAME = {
  version: whole, prev: text, salt: text, at: whole, command: thing, events: list(thing),
};
const COMMIT = (value) => just(FRAME)(value) || just({ ...FRAME, decision: thing })(value);
const FOOTER = just({
  type: one("footer"),
  commits: whole,
  head: text,
  secret: text,
  result: just({ winner: maybe(whole), scores: list(whole), why: reason }),
  seal: text,
});

// The lines of an export between its records.
const NEXT = just({ type: one("next"), cursor: text });
const SKIPPED = just({ type: one("skipped"), game: text, code: text });
const END = just({ type: one("end"), cursor: maybe(text), more: flag });
const ERROR = just({ type: one("error"), code: text });

// All that may stand in a line: no spaces, no fractions, one way to write each text.
const TEXT = /"(?:[^"\\\x00-\x1f]|\\["\\bfnrt]|\\u00(?:0[0-7be-f]|1[0-9a-f]))*"/;
const TOKEN = new RegExp(`${TEXT.source}|0|-?[1-9][0-9]*|true|false|null|[[\\]{},:]`, "g");
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const DEEPEST = 32;
const MOST_COMMITS = 100_000;

function read(line) {
  const said = utf8.decode(line);
  const tokens = said.match(TOKEN) ?? [];
  if (tokens.join("") !== said) throw new Error("it is not in its one form");
  if (depthOf(tokens) > DEEPEST) throw new Error(`it is nested more than ${DEEPEST} deep`);
  const value = JSON.parse(said);
  const colons = tokens.filter((token) => token === ":").length;
  if (colons !== namesIn(value)) throw new Error("a name stands twice");
  const numbers = tokens.filter((token) => /^[-0-9]/.test(token));
  if (!numbers.map(Number).every(whole)) throw new Error("a number is too large");
  return value;
}

function depthOf(tokens) {
  let depth = 0;
  let deepest = 0;
  for (const token of tokens) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    if (token === "]" || token === "}") depth--;
  }
  return deepest;
}

function namesIn(value) {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum, inner) => sum + namesIn(inner), own);
}

// A record taken apart: docs/record.md

class Fault extends Error {
  constructor(what, line = null) {
    super(what);
    this.line = line;
  }
}

function fail(what, line) {
  throw new Fault(what, line);
}

function linesOf(bytes) {
  const lines = [];
  for (let at = 0, end; at < bytes.length; at = end + 1) {
    end = bytes.indexOf("\n", at);
    if (end < 0) end = bytes.length;
    lines.push(bytes.subarray(at, end));
  }
  return lines;
}

const many = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
const begins = (line, start) => line.subarray(0, start.length).equals(Buffer.from(start));
const isCommit = (line) => begins(line, '{"version":');

// What is not in its form is undefined; why, stands in `faults`.
function takeApart(bytes) {
  const faults = [];
  const lines = linesOf(bytes);
  if (lines.length - 2 > MOST_COMMITS) {
    const fault = new Fault(`There are more than ${MOST_COMMITS} commits.`, MOST_COMMITS + 2);
    return { commits: [], lines: [], sealed: bytes, last: MOST_COMMITS + 2, faults: [fault] };
  }
  const last = Math.max(1, lines.length);
  const headed = lines.length > 0 && !isCommit(lines[0]) ? 1 : 0;
  const footed = lines.length > headed && !isCommit(lines.at(-1)) ? 1 : 0;
  const as = (fits, name, line) => {
    try {
      const value = read(lines[line - 1]);
      return fits(value) ? value : fail("its fields are others");
    } catch (error) {
      const converted = lines[line - 1].at(-1) === 13;
      const why = converted ? "line ends are CR LF; was the file converted?" : `${error.message}.`;
      faults.push(new Fault(`This is no ${name}: ${why}`, line));
    }
  };
  const between = lines.slice(headed, lines.length - footed);
  const lineOf = (place) => headed + place + 1;
  if (!headed) faults.push(new Fault("There is no header.", 1));
  if (!footed) faults.push(new Fault("There is no footer.", last));
  if (!between.length) faults.push(new Fault("There is no commit.", last));
  if (bytes.at(-1) !== 10) faults.push(new Fault("The last line has no end.", last));
  return {
    header: headed ? as(HEADER, "header", 1) : undefined,
    commits: between.map((_, place) => as(COMMIT, "commit", lineOf(place))),
    footer: footed ? as(FOOTER, "footer", last) : undefined,
    lines: between,
    sealed: bytes.subarray(0, bytes.lastIndexOf("\n", -2) + 1),
    lineOf,
    last,
    faults,
  };
}

// What the log says of seats, luck and the end.
function storyOf({ commits, lineOf }) {
  const sure = (fields, item, place) =>
    has(fields)(item) ? item : fail(`${item?.type} lacks what it should hold.`, lineOf(place));
  const kindOf = ({ type }) => type.split("@")[0];

  const first = commits[0];
  if (kindOf(first.command) !== "open_game") fail("The first commit opens no game.", lineOf(0));
  const opening = sure({
    variant: text,
    rules_version: whole,
    chairs: list(has({ kind: text, ...person })),
    options: table(whole),
    algorithm: text,
    commitment: text,
    setup: maybe(has({ dealer: whole, packs: list(list(text)) })),
  }, first.command, 0);
  const { options } = sure({ options: table(whole) }, first.events[0], 0);
  const seats = opening.chairs.map(({ kind, level, player }) => ({ kind, level, player }));
  const nonces = seats.map(() => null);
  const story = { opening, options, seats, nonces, dealers: [], packs: [], results: [] };

  const seatOf = (fields, event, place) => {
    const { seat } = sure({ seat: whole, ...fields }, event, place);
    return seat in seats ? seat : fail(`There is no seat ${seat}.`, lineOf(place));
  };
  let started = false;
  for (const [place, { command, events }] of commits.entries()) {
    if (kindOf(command) === "start_game") {
      story.dealers.push([place, sure({ dealer: whole }, command, place).dealer]);
    } else if (kindOf(command) === "deal_cards") {
      story.packs.push([place, sure({ pack: list(text) }, command, place).pack]);
    }
    for (const event of events) {
      const kind = kindOf(event);
      started ||= kind === "game_started";
      if (kind === "game_ended") {
        const fields = { winner: maybe(whole), scores: list(whole), why: text };
        const { winner, scores, why } = sure(fields, event, place);
        story.results.push([place, { winner, scores, why }]);
      } else if (kind === "seat_taken" && !started) {
        const seat = seatOf({ player: text }, event, place);
        seats[seat] = { kind: "human", level: null, player: event.player };
      } else if (kind === "seat_left" && !started) {
        const seat = seatOf({}, event, place);
        seats[seat] = { kind: "human", level: null, player: null };
        nonces[seat] = null;
      } else if (kind === "nonce_set" && !started) {
        nonces[seatOf({ nonce: text }, event, place)] = event.nonce;
      }
    }
  }
  const { command } = commits.at(-1);
  if (kindOf(command) === "reveal_secret") {
    story.secret = sure({ secret: text }, command, commits.length - 1).secret;
  }
  return story;
}

// The log's secret, or else the footer's.
function secretOf(record) {
  let secret;
  try {
    ({ secret } = storyOf(record));
  } catch {
    // The footer's will do.
  }
  secret ||= record.footer?.secret ?? "";
  if (!/^[0-9a-f]{64}$/.test(secret)) fail("There is no secret of 64 digits in small letters.");
  return Buffer.from(secret, "hex");
}

// The checks. Each returns a few words or throws: a Fault, or anything else where what it needs is
// not there.

const CHECKS = {
  form({ commits, faults }) {
    const [fault] = faults.sort((one, other) => one.line - other.line);
    if (fault) throw fault;
    return many(commits.length, "commit");
  },

  chain({ commits, lines, footer, lineOf, last }) {
    let head = "";
    for (const [place, { version, prev }] of commits.entries()) {
      const due = place + 1;
      if (version !== due) fail(`Version ${version} stands where ${due} belongs.`, lineOf(place));
      if (prev !== head) fail(`Version ${due} names another line before it.`, lineOf(place));
      head = hashOf(lines[place]);
    }
    if (footer.commits !== commits.length) fail(`Here are ${many(commits.length, "commit")}.`, last);
    if (!head || footer.head !== head) fail(`The last commit's hash is ${head}.`, last);
    return `head ${head}`;
  },

  seal({ sealed, footer, last }) {
    if (footer.seal !== hashOf(sealed)) fail("The bytes before it have another seal.", last);
    return footer.seal;
  },

  header(record) {
    const { header } = record;
    if (header.format !== "tapete-record-1") fail(`The format is ${header.format}.`, 1);
    const { opening, options, seats, nonces } = storyOf(record);
    const { variant, rules_version, algorithm, commitment, setup } = opening;
    const logged = { variant, rules_version, options, algorithm, commitment, nonces };
    logged.fair = setup === null;
    logged.seats = seats.map((chair, seat) => ({ seat, ...chair }));
    const told = { ...header, seats: header.seats.map(({ side, ...seat }) => seat) };
    for (const [name, value] of Object.entries(logged)) {
      if (!same(told[name], value)) fail(`By the log "${name}" is ${JSON.stringify(value)}.`, 1);
    }
    return `${variant}, ${seats.length} seats, ${header.fair ? "fair" : "practice"}`;
  },

  secret(record) {
    const { commits, footer, lineOf, last } = record;
    const { opening, secret } = storyOf(record);
    if (secret === undefined) fail("This commit reveals no secret.", lineOf(commits.length - 1));
    if (footer.secret !== secret) fail("The secret revealed is another.", last);
    const commitment = commitmentTo(secretOf(record));
    if (commitment !== opening.commitment) fail("Another secret was committed to.", lineOf(0));
    return `commitment ${commitment}`;
  },

  salts(record) {
    const secret = secretOf(record);
    for (const [place, { version, salt }] of record.commits.entries()) {
      const due = saltOf(secret, version);
      if (salt !== due) fail(`The secret gives the salt ${due}.`, record.lineOf(place));
    }
    return many(record.commits.length, "salt");
  },

  deals(record) {
    const { header, lineOf } = record;
    const { opening, seats, nonces, dealers, packs } = storyOf(record);
    const { algorithm, setup } = opening;
    const secret = secretOf(record);
    if (algorithm !== ALGORITHM) fail(`The algorithm is ${algorithm}.`, lineOf(0));
    for (const [place, dealer] of dealers) {
      const due = setup ? setup.dealer : firstDealer(secret, nonces, seats.length || 1);
      if (dealer !== due) fail(`Seat ${due} deals first.`, lineOf(place));
    }
    for (const [index, [place, pack]] of packs.entries()) {
      const due = setup?.packs[index] ?? packOf(secret, nonces, index + 1, header.pack);
      const at = due.findIndex((card, at) => card !== pack[at]);
      if (at >= 0) fail(`Card ${at + 1} of deal ${index + 1} must be ${due[at]}.`, lineOf(place));
      if (pack.length > due.length) fail(`Deal ${index + 1} has too many cards.`, lineOf(place));
    }
    const given = Math.min(setup?.packs.length ?? 0, packs.length);
    return many(packs.length, "deal") + (given ? `, ${given} given` : "");
  },

  result(record) {
    const { footer, lineOf, last } = record;
    const [first, second] = storyOf(record).results;
    if (!first) fail("The game does not end.", last);
    if (second) fail("The game ends once more.", lineOf(second[0]));
    if (!same(footer.result, first[1])) fail(`By the log it is ${JSON.stringify(first[1])}.`, last);
    return `${footer.result.why}, winner ${footer.result.winner ?? "none"}`;
  },
};

function headCheck(head) {
  return ({ lines }) => {
    const place = lines.findIndex((line) => hashOf(line) === head);
    return place < 0 ? fail("No commit has the hash that you kept.") : `version ${place + 1}`;
  };
}

function verdictOf({ bytes, before }, head) {
  const record = takeApart(bytes);
  const wanted = head === undefined ? CHECKS : { ...CHECKS, head: headCheck(head) };
  let first_fault = null;
  const checks = Object.entries(wanted).map(([name, check]) => {
    try {
      return { name, ok: true, detail: check(record) };
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault("What this needs is not there.");
      first_fault ??= { check: name, line: fault.line && before + fault.line, what: fault.message };
      return { name, ok: false, detail: fault.message };
    }
  });
  const { game = null, fair } = record.header ?? {};
  return { game, ok: !first_fault, checks, first_fault, practice: fair === false };
}

// Files

const HEADED = '{"type":"header"';
const FOOTED = '{"type":"footer"';

// A line of the export's own, known exactly; undefined for any other.
function ownOf(line) {
  if (!begins(line, '{"type":"') || begins(line, HEADED) || begins(line, FOOTED)) return undefined;
  try {
    const value = read(line);
    return [NEXT, SKIPPED, END, ERROR].some((fits) => fits(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

// A file is cut before each header, behind each footer, and at the lines of an export's own; what
// is not quite one of these is part of a record, so that every line is judged.
// Gives the records, and in `complaint` what else is to be said.
function* recordsIn(bytes) {
  const lines = linesOf(bytes);
  let first = -1;
  let exported = false;
  let own;
  const until = (end) => {
    const start = lines[first].byteOffset - bytes.byteOffset;
    const stop = lines[end] && lines[end].byteOffset - bytes.byteOffset;
    const part = { bytes: bytes.subarray(start, stop), before: first };
    first = -1;
    return part;
  };
  for (const [number, line] of lines.entries()) {
    own = ownOf(line);
    exported ||= own !== undefined;
    if (first >= 0 && (own || begins(line, HEADED))) yield until(number);
    if (own?.type === "skipped") yield { complaint: `skipped game ${own.game} (${own.code})` };
    if (own) continue;
    if (first < 0) first = number;
    if (begins(line, FOOTED)) yield until(number + 1);
  }
  if (first >= 0) yield until(lines.length);
  if (exported && own?.type !== "end") {
    const why = own?.type === "error" ? `: it ends with the error ${own.code}` : "";
    yield { complaint: `this export is not whole${why}` };
  }
}

// What a record says may not steer a terminal.
const shown = (said) => said.replace(/\p{C}/gu, "?").slice(0, 200);

function inWords(file, { game, checks, first_fault: fault, practice }) {
  const where = fault?.line ? `${fault.check}, line ${fault.line}` : fault?.check;
  const rows = [
    `${file}: ${game === null ? "no game" : `game ${game}`}`,
    ...checks.map(({ name, ok, detail }) => `  ${ok ? "ok" : "NO"}  ${name.padEnd(8)}${detail}`),
    fault ? `NOT SOUND. ${where}: ${fault.what}` : practice ? "Sound (practice)." : "Sound.",
  ];
  return rows.map(shown).join("\n");
}

function inAscii(value) {
  const code = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[\x7f-\uffff]/g, code);
}

function main() {
  const { values, positionals } = parseArgs({
    options: { head: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (!positionals.length) throw new Error("name the records to check, or - for standard input");
  let worst = 0;
  const complain = (said) => {
    console.error(`verify: ${shown(said)}`);
    worst = 2;
  };
  for (const file of positionals) {
    try {
      let found = false;
      for (const record of recordsIn(readFileSync(file === "-" ? 0 : file))) {
        found = true;
        if (record.complaint) {
          complain(`${file}: ${record.complaint}`);
          continue;
        }
        const verdict = verdictOf(record, values.head);
        if (!verdict.ok) worst = Math.max(worst, 1);
        console.log(values.json ? inAscii({ file, ...verdict }) : inWords(file, verdict));
      }
      if (!found) complain(`${file}: there is no record in it`);
    } catch (error) {
      complain(error.message);
    }
  }
  return worst;
}

process.stdout.on("error", () => process.exit(2)); // whoever read our words has gone
try {
  process.exitCode = main();
} catch (error) {
  console.error(`verify: ${shown(error.message)}`);
  process.exitCode = 2;
}
