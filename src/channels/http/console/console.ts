import { randomUUID } from "node:crypto";
import type { ParsedPress } from "../parse-request.ts";
import type { ConsoleFacts } from "./facts.ts";
import { createFeed } from "./feed.ts";
import { followStream } from "./follow-stream.ts";

export type { Answering, ConsoleFacts, InboxItem, Review, ReviewFile } from "./facts.ts";

/** The part of the local API that pages read; made with its first request. */
export interface Console {
  /** A press in the conversation in which it was asked, whichever channel that is of. */
  place(read: ParsedPress): ParsedPress | Response;
  /** Undefined: there is no such page. */
  read(path: string, query: URLSearchParams): Promise<Response | undefined>;
  /** Something was answered here: who follows hears of it at once. */
  changed(): void;
  /** Ends what follows. */
  close(): void;
}

const CHANGE_SET = /^\/api\/change-sets\/(\w{1,64})(?:\/files\/(\d{1,6}))?$/;
/** Streams at once: each is a page, and a person has a few. */
const MOST_STREAMS = 64;

/** The pages' part of the API over `facts`. */
export function createConsole(facts: ConsoleFacts, now: () => number): Console {
  const bootId = randomUUID();
  const feed = createFeed(facts, { now });
  const closed = new AbortController();
  let streams = 0;

  function follow(query: URLSearchParams): Response {
    if (streams >= MOST_STREAMS) {
      return refuse(503, `${MOST_STREAMS} pages listen already; close some`);
    }
    streams += 1;
    const onEnd = () => void (streams -= 1);
    const body = followStream(feed, toSeq(query.get("after")), { end: closed.signal, onEnd });
    return new Response(body, EVENTS);
  }

  async function review(id: string, n: string | undefined): Promise<Response> {
    const found = n === undefined ? await facts.review(id) : await facts.file(id, Number(n));
    if (!found) return refuse(404, "no such change set was asked about, or it has no such file");
    return Response.json({ ok: true, ...found }, NOT_KEPT);
  }

  return {
    place: (read) => place(facts, read),
    changed: () => void feed.look().catch(() => {}),
    close: () => closed.abort(),
    async read(path, query) {
      if (path === "/api/events") return follow(query);
      if (path === "/api/inbox") {
        const { seq, items } = await feed.snapshot();
        return Response.json({ ok: true, boot_id: bootId, seq, items }, NOT_KEPT);
      }
      const [, id, n] = CHANGE_SET.exec(path) ?? [];
      return id === undefined ? undefined : review(id, n);
    },
  };
}

function place(facts: Pick<ConsoleFacts, "answering">, read: ParsedPress): ParsedPress | Response {
  const { press, digest, sessionId } = read.request;
  const found = facts.answering(press, digest);
  switch (found.kind) {
    case "unknown":
      return read;
    case "other person":
      return refuse(403, `somebody else was asked about "${press.ref}"; only they can answer`);
    case "other digest":
      return refuse(409, `"${press.ref}" is about another change than the one that was shown`);
    case "asked": {
      const { speaker } = found;
      const isMeant =
        !read.isNamed || [`http:${speaker.sessionId}`, speaker.sessionId].includes(sessionId);
      return isMeant ? { ...read, isNamed: true, request: { ...read.request, ...speaker } } : read;
    }
    default:
      return found satisfies never;
  }
}

function toSeq(after: string | null): number | undefined {
  return after !== null && /^\d{1,15}$/u.test(after) ? Number(after) : undefined;
}

const NOT_KEPT = { headers: { "cache-control": "no-store" } };

const EVENTS = {
  headers: {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  },
};

function refuse(status: number, error: string): Response {
  return Response.json({ ok: false, error }, { status });
}
