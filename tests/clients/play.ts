// Two people play a whole game with the client that openapi-typescript made of openapi.yaml.
//
//     node play.ts BASE_URL VARIANT TARGET_SCORE
//
// Every path, parameter, body and answer is checked by the compiler against the contract.

import createClient, {type Middleware} from "openapi-fetch";
import type {components, paths} from "./schema.ts";

type Schemas = components["schemas"];
type Command = Schemas["Command"];

const [base = "", variant = "", target = "0"] = process.argv.slice(2);

class Person {
  readonly api = createClient<paths>({baseUrl: base});
  moves = 0;

  async enter(name: string): Promise<this> {
    const guest = got(await this.api.POST("/v1/players", {body: {name, bot: true}}));
    const bearer: Middleware = {
      onRequest({request}) {
        request.headers.set("Authorization", `Bearer ${guest.token}`);
      },
    };
    this.api.use(bearer);
    return this;
  }

  /** Does something that is allowed; false if nothing is. */
  async move(id: string): Promise<boolean> {
    const path = {id};
    const {version, commands} = got(await this.api.GET("/v1/games/{id}/commands", {params: {path}}));
    const body = any(commands);
    if (!body) return false;
    const header = {"If-Match": `"${version}"`, "Idempotency-Key": crypto.randomUUID()};
    const answer = await this.api.POST("/v1/games/{id}/commands", {params: {path, header}, body});
    if (answer.response.status === 412) return true; // somebody was faster: look again
    const {events} = got(answer);
    if (!events.length) throw new Error("a command without events");
    this.moves++;
    return true;
  }
}

/** The body of an answer, or its problem as an error. */
function got<T>(answer: {data?: T; error?: Schemas["Problem"]; response: Response}): T {
  if (answer.data !== undefined) return answer.data;
  throw new Error(`${answer.response.url}: ${answer.error?.code} ${answer.error?.detail}`);
}

/** A kind first, then one of the kind: there are many melds and only one way to draw. */
function any(commands: Command[]): Command | undefined {
  const kinds = [...new Set(commands.map(one => one.type))];
  const kind = kinds[Math.floor(Math.random() * kinds.length)];
  const ofKind = commands.filter(one => one.type === kind);
  return ofKind[Math.floor(Math.random() * ofKind.length)];
}

/** Some of the feed's types are told apart by the compiler: `data` depends on `type`. */
function tell(event: Schemas["Event"]): void {
  if (event.type === "deal_scored") console.log(`deal ${event.data.deal}: ${event.data.scores}`);
}

const ada = await new Person().enter("Ada");
const ben = await new Person().enter("Ben");
const human = {kind: "human"} as const;
const computer = {kind: "ai", level: "casual"} as const;
const game = got(await ada.api.POST("/v1/games", {
  params: {header: {"Idempotency-Key": crypto.randomUUID()}},
  body: {variant, seats: [human, computer, human, computer], options: {target_score: Number(target)}},
}));
const path = {id: game.id};
got(await ben.api.POST("/v1/games/{id}/seats", {params: {path}, body: {}}));

let after = "0";
for (let over = false; !over; ) {
  while ((await ada.move(game.id)) || (await ben.move(game.id)));
  const query = {after, limit: 500, wait: 20};
  const news = got(await ada.api.GET("/v1/games/{id}/events", {params: {path, query}}));
  if (typeof news === "string") throw new Error("a stream that nobody asked for");
  news.items.forEach(tell);
  ({next: after, over} = news);
}
const {result} = got(await ada.api.GET("/v1/games/{id}", {params: {path}}));
if (!result) throw new Error("the game is over without a result");
console.log(`${ada.moves + ben.moves} moves; side ${result.winner} wins with ${result.scores}`);
