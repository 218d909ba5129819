import { answerCare } from "./care.ts";
import type { ConsoleFacts } from "./facts.ts";
import type { Followed } from "./follow-stream.ts";
import { readPast } from "./past.ts";
import { readRoutines } from "./routines.ts";
import type { BrowserSession, Sessions } from "./sessions/sessions.ts";
import { answerSettings } from "./settings.ts";
import { readTraces } from "./traces.ts";

/** What is asked for, and by which browser; a program has no session. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly session: BrowserSession | undefined;
  readonly body: () => Promise<string | Response>;
  /** What names the last event that a client had which was cut off. */
  readonly request?: Pick<Request, "headers">;
}

/** What it is answered with. */
interface AnswerContext {
  readonly sessions: Pick<Sessions, "list" | "revoke">;
  readonly end: AbortSignal;
  /** A program, or a browser that was let in a moment ago. */
  readonly isFresh: boolean;
  readonly stream: (followed: Followed) => Response;
}

/** What is the owner's alone; undefined: there is no such thing to be read. */
export async function readOwners(
  facts: ConsoleFacts,
  { method, path, query, session, body }: Asked,
  { sessions, end, isFresh, stream }: AnswerContext,
): Promise<Response | undefined> {
  const how = { method, path, body, isFresh };
  const setting = await answerSettings(facts.settings, how);
  if (setting) return setting;
  const own = { query, session, browsers: sessions, end, stream };
  const care = await answerCare(facts.care, { ...how, ...own });
  if (care || method !== "GET") return care;
  const past = await readPast(facts.past, path, query);
  if (past) return past;
  const routines = readRoutines(facts.routines, path, query);
  if (routines) return routines;
  return readTraces(facts.traces, path, query);
}
