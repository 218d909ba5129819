import { AppError } from "../../../core/app-error.ts";
import { refuse } from "../refuse.ts";
import type { CareFacts, LogFilter, LogPlace } from "./facts.ts";
import type { Followed } from "./follow-stream.ts";
import { MOST_ON_PAGE, sendFound, toLimit } from "./found.ts";

/** What is asked for, and until when it is worth an answer. */
interface AskedCare {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly end: AbortSignal;
  /** Answers with what happens from now on. */
  readonly stream: (followed: Followed) => Response;
}

/** What keeps the daemon well; undefined: the path asks for nothing of it. */
export async function answerCare(
  facts: CareFacts,
  asked: AskedCare,
): Promise<Response | undefined> {
  const { method, path } = asked;
  if (method !== "GET") return undefined;
  if (path === "/api/doctor") return lookAfter(facts, asked);
  if (path === "/api/log" || path === "/api/log/follow") return answerLog(facts.log, asked);
  return undefined;
}

async function lookAfter({ doctor }: CareFacts, { end }: AskedCare): Promise<Response> {
  try {
    return sendFound(await doctor.look(end));
  } catch (error) {
    if (error instanceof AppError) return refuse(503, error.message);
    throw error;
  }
}

const MOST_TEXT_CHARS = 200;
const PLACE = /^(\d{1,20})-(\d{1,15})$/u;

function answerLog(log: CareFacts["log"], { path, query, stream }: AskedCare): Response {
  const filter = toFilter(query);
  if (typeof filter === "string") return refuse(400, filter);
  if (path === "/api/log/follow") {
    const after = toPlace(query.get("after"));
    if (!after) return refuse(400, '"after" is the "end" of a page');
    return stream({
      async follow(_, tell, signal) {
        let seq = 0;
        for await (const line of log.follow(after, filter, signal)) tell({ seq: ++seq, ...line });
      },
    });
  }
  const [place, limit] = [query.get("before"), toLimit(query)];
  const before = place === null ? undefined : toPlace(place);
  if (place !== null && !before) return refuse(400, '"before" is the "older" of a page');
  if (limit === undefined) return refuse(400, `"limit" is 1 to ${MOST_ON_PAGE}`);
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
