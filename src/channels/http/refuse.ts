import { errorMessage, toAppError } from "../../core/app-error.ts";
import type { Language } from "../../core/language.ts";
import type { Log } from "../../core/log.ts";
import type { RefusedWords } from "../../texts/refused/refused.ts";
import type { Texts } from "../../texts/texts.ts";

/** A reason that a person may read: by the table of refusals, or what the interface says anyway. */
export type Say = (words: RefusedWords, texts: Texts) => string;

/** What stands beside a reason, which may quote it. */
type More = (said: string) => Readonly<Record<string, unknown>>;

/** A refusal that was not put into words yet: who refuses need not know whose language that is. */
class Refused extends Response {
  readonly say: Say;
  readonly more: More;

  constructor(init: ResponseInit, say: Say, more: More = () => ({})) {
    super(null, init);
    this.say = say;
    this.more = more;
  }
}

/** Why a request gets nothing, for whoever reads it. */
export function refuse(status: number, say: Say, more?: More): Response {
  return new Refused({ status }, say, more);
}

/** Why a request gets nothing for a moment; who tries again in a second may be lucky (RFC 9110, 10.2.3). */
export function busy(say: Say): Response {
  return new Refused({ status: 503, headers: { "retry-after": "1" } }, say);
}

/**
 * What there is where papa-yu itself failed, or the world around it for whoever has said a webhook's
 * secret, or nothing yet: which files it was about is for its log alone.
 */
export function refuseForDefect(defect: Error, log: Log): Response {
  const failure = toAppError(defect);
  if (failure.code !== "ERR_INTERNAL") {
    log("HTTP_ERROR", { error: failure.message });
    return refuse(500, (say) => say.failedHere);
  }
  log("HTTP_DEFECT", { reason: errorMessage(defect) });
  return refuse(500, (say) => say.defect);
}

/**
 * The answer, or what kept the world around papa-yu from giving one. That names files and variables of
 * this machine: whoever is `other` than its owner is sent to them, and the log says what it was.
 *
 * @throws what is a fault of papa-yu itself
 */
export async function orFailure(
  answer: Promise<Response>,
  other: string | undefined,
  log: Log,
): Promise<Response> {
  try {
    return await answer;
  } catch (error) {
    const failure = toAppError(error);
    if (failure.code === "ERR_INTERNAL") throw error;
    log("HTTP_ERROR", { error: failure.message });
    if (other !== undefined) return refuse(500, (say) => say.failedHere);
    const { toErrorText } = await import("../error-text.ts");
    return refuse(500, (_, texts) => toErrorText(failure, texts, "owner"));
  }
}

/** What is wrong with a request that no page of ours sends: for who writes programs, in English. */
export function misuse(status: number, error: string): Response {
  return Response.json({ ok: false, error }, { status });
}

/** The same of a body that was read, where a person may have said too much in it. */
export function misread({ message }: { readonly message: string | Say }): Response {
  return typeof message === "string" ? misuse(400, message) : refuse(400, message);
}

/** The answer as it goes out: a refusal in the language of the interface. */
export async function toSpoken(
  response: Response,
  { language, texts }: { readonly language: () => Language; readonly texts: () => Texts },
): Promise<Response> {
  if (!(response instanceof Refused)) return response;
  const { refusedWordsIn } = await import("../../texts/refused/refused.ts");
  const { status, headers, say, more } = response;
  const error = say(refusedWordsIn(language()), texts());
  return Response.json({ ok: false, error, ...more(error) }, { status, headers });
}

/** What there is instead of what was asked for. */
export function nothingAt(method: string, path: string): Response {
  return misuse(
    404,
    `there is no "${method} ${path}"; there are GET /healthz, /api/status, /api/inbox, /api/events, /api/change-sets/ID, /api/workspaces, /api/routines, /api/chats, /api/traces, /api/report, /api/settings/config, /api/doctor, /api/log, /api/people, /api/browsers, /api/spending, /api/work/ID, /metrics, POST /api/chat, /api/press`,
  );
}
