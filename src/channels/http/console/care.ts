import { AppError } from "../../../core/app-error.ts";
import { toErrorText } from "../../error-text.ts";
import { misuse, refuse } from "../refuse.ts";
import type { CareFacts, LogFilter, LogPlace } from "./facts.ts";
import type { Followed } from "./follow-stream.ts";
import { MOST_ON_PAGE, sendFound, toLimit } from "./found.ts";
import { type BrowserSession, type Sessions, toDocument } from "./sessions/sessions.ts";

/** What is asked for, and until when it is worth an answer. */
interface AskedCare {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: () => Promise<string | Response>;
  readonly end: AbortSignal;
  /** A program, or a browser that was let in a moment ago. */
  readonly isFresh: boolean;
  readonly browsers: Pick<Sessions, "list" | "revoke">;
  /** Undefined: a program asks. */
  readonly session: BrowserSession | undefined;
  /** Answers with what happens from now on. */
  readonly stream: (followed: Followed) => Response;
}

/** What keeps the daemon well; undefined: the path asks for nothing of it. */
export async function answerCare(
  facts: CareFacts,
  asked: AskedCare,
): Promise<Response | undefined> {
  const { method, path } = asked;
  if (method === "POST") return changeCare(facts, asked);
  if (path === "/api/people") return sendFound(facts.people.list());
  if (path === "/api/spending") return sendFound(facts.spending());
  if (path === "/api/browsers") return sendFound(listBrowsers(asked));
  if (path === "/api/doctor") return lookAfter(facts, asked);
  if (path === "/api/log" || path === "/api/log/follow") return answerLog(facts.log, asked);
  return undefined;
}

async function changeCare({ people }: CareFacts, asked: AskedCare): Promise<Response | undefined> {
  const { path } = asked;
  if (path !== "/api/people" && path !== "/api/browsers") return undefined;
  const said = await asked.body();
  if (typeof said !== "string") return said;
  const { act, code, user_id: userId, id } = parse(said);
  if (path === "/api/browsers") return endBrowser(asked, id);
  if (act === "pair" && typeof code === "string") {
    return asked.isFresh ? pair(people, code) : refuse(403, (say) => say.signInAgain);
  }
  if (typeof userId !== "number" || (act !== "refuse" && act !== "remove")) {
    return misuse(400, 'send {"act": "pair", "code"} or {"act": "refuse" or "remove", "user_id"}');
  }
  if (people[act](userId)) return sendFound({ user_id: userId });
  return refuse(404, ({ nobodyWaits, nobodyLetIn }) =>
    act === "refuse" ? nobodyWaits(userId) : nobodyLetIn(userId),
  );
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function pair(people: CareFacts["people"], code: string): Response {
  const result = people.pair(code);
  switch (result.kind) {
    case "paired":
      return sendFound({ user_id: result.user_id, name: result.name });
    case "wrong":
      return refuse(422, (say) => say.wrongCode(result.triesLeft));
    case "locked":
      return refuse(429, (say) => say.codesLocked(new Date(result.until).toISOString()));
    default:
      return result satisfies never;
  }
}

function listBrowsers({ browsers, session }: AskedCare) {
  const toRow = (each: BrowserSession) => {
    const here = each.id === session?.id;
    return Object.assign(toDocument(each), { here });
  };
  return { browsers: browsers.list().map(toRow) };
}

/** Its own a browser ends at any time; whoever has a page of long ago does not end the owner's. */
function endBrowser({ browsers, session, isFresh }: AskedCare, id: unknown): Response {
  if (typeof id !== "string") return misuse(400, 'send {"id"}');
  if (!isFresh && id !== session?.id) return refuse(403, (say) => say.signInAgain);
  return browsers.revoke(id) ? sendFound({ id }) : refuse(404, (say) => say.noBrowser);
}

async function lookAfter({ doctor }: CareFacts, { end }: AskedCare): Promise<Response> {
  try {
    return sendFound(await doctor.look(end));
  } catch (error) {
    if (error instanceof AppError)
      return refuse(503, (_, texts) => toErrorText(error, texts, "owner"));
    throw error;
  }
}

const MOST_TEXT_CHARS = 200;
const PLACE = /^(\d{1,20})-(\d{1,15})$/u;

function answerLog(log: CareFacts["log"], { path, query, stream }: AskedCare): Response {
  const filter = toFilter(query);
  if (typeof filter === "string") return misuse(400, filter);
  if (path === "/api/log/follow") {
    const after = toPlace(query.get("after"));
    if (!after) return misuse(400, '"after" is the "end" of a page');
    return stream({
      async follow(_, tell, signal) {
        let seq = 0;
        for await (const line of log.follow(after, filter, signal)) tell({ seq: ++seq, ...line });
      },
    });
  }
  const [place, limit] = [query.get("before"), toLimit(query)];
  const before = place === null ? undefined : toPlace(place);
  if (place !== null && !before) return misuse(400, '"before" is the "older" of a page');
  if (limit === undefined) return misuse(400, `"limit" is 1 to ${MOST_ON_PAGE}`);
  const { lines, older, end } = log.read({ before, limit, filter });
  return sendFound({ lines, older: older && render(older), end: render(end) });
}

/** What is wanted, or what is wrong with that. */
function toFilter(query: URLSearchParams): LogFilter | string {
  const level = query.get("level") ?? "info";
  const text = query.get("text") ?? "";
  if (level !== "info" && level !== "warning" && level !== "error") {
    return '"level" is info, warning or error';
  }
  return text.length > MOST_TEXT_CHARS ? '"text" is too long to be searched' : { level, text };
}

function toPlace(text: string | null): LogPlace | undefined {
  const [, ino, offset] = PLACE.exec(text ?? "") ?? [];
  return ino === undefined ? undefined : { ino: Number(ino), offset: Number(offset) };
}

function render({ ino, offset }: LogPlace): string {
  return `${ino}-${offset}`;
}
