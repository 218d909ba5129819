import { decideIntent, isYes } from "../../../../protocol/intent.ts";
import { toAttached } from "../../../../security/untrusted.ts";
import type { Texts } from "../../../../texts/texts.ts";
import { takesNoFiles } from "../../../channel.ts";
import type { ChatRequest, MessageRequest } from "../../parse-request.ts";
import { refuse } from "../../refuse.ts";
import type { ChatFacts } from "../chat-facts.ts";
import { SIGN_IN_AGAIN } from "../settings.ts";
import type { Uploads } from "./uploads.ts";

/** What a message is judged by. */
export interface JudgeParts {
  readonly facts: Pick<ChatFacts, "speaker" | "waiting" | "isBusy" | "waitsForGate">;
  readonly uploads: Pick<Uploads, "find">;
  readonly texts: () => Texts;
  /** Who says it came in from this machine a moment ago. */
  readonly isFresh: boolean;
  /** Who says it is at no machine of papa-yu's: it is said in conversations of this API alone, without files. */
  readonly isAway: boolean;
  /** How sessions of this API begin that are theirs. */
  readonly prefix: string;
}

/**
 * In whose name a message counts, at once: nothing is waited for between this and the work. A yes or
 * a no of who says what they show becomes the answer to exactly that, or is none; so is one in a
 * conversation of another channel, which shows its questions elsewhere.
 */
export function judgeSaying(
  message: MessageRequest,
  { facts, uploads, texts, isFresh, isAway, prefix }: JudgeParts,
): ChatRequest | Response {
  const { sessionId, text, shown = [], files = [] } = message;
  const isOfApi = sessionId.startsWith(prefix);
  const speaker = isAway && !isOfApi ? undefined : facts.speaker(sessionId);
  if (!speaker) return refuse(404, "there is no such conversation of yours to speak in");
  if (!isFresh && setsSomething(facts, sessionId, text)) return refuse(403, SIGN_IN_AGAIN);
  const { userId } = speaker;
  const isBound = message.shown !== undefined || !isOfApi;
  const answer = isBound ? toAnswer(text) : undefined;
  if (answer) {
    const waiting = facts.waiting(sessionId);
    const isAnswered = waiting && (answer === "yes" || !waiting.isPlan);
    // What runs may ask something by the time that this is read.
    if (!isAnswered && facts.isBusy(sessionId)) return refuse(409, texts().console.notShownHere);
    if (isAnswered) {
      const { ref, digest } = waiting;
      const isShown = shown.some((each) => each.ref === ref && each.digest === digest);
      if (!isShown) return refuse(409, texts().console.notShownHere);
      const act = answer === "no" ? "reject" : waiting.isPlan ? "apply" : "approve";
      const rendering = message.isRendered ? { isRendered: true as const } : {};
      return { kind: "press", sessionId, userId, press: { act, ref }, ...rendering };
    }
  }
  if (files.length === 0) return { ...message, userId };
  if (isAway) return refuse(403, "files are taken at the machine alone");
  if (takesNoFiles(text)) return refuse(422, "a command takes no files: say what is to be done");
  const paths = uploads.find(sessionId, files);
  if (!paths) return refuse(422, "a file is not known here any more: send it again");
  return { ...message, userId, attached: toAttached(paths) };
}

/** A yes or a no, and nothing else; /apply says yes to a plan. */
function toAnswer(text: string): "yes" | "no" | undefined {
  if (/^\s*\/apply\s*$/iu.test(text)) return "yes";
  const { kind } = decideIntent(text, { hasPlan: true, isAsked: true });
  if (kind === "apply_stored") return "yes";
  return kind === "reject" ? "no" : undefined;
}

/**
 * Whether a message sets something, and so wants a browser that came in from this machine a moment
 * ago: a command with a setting, or a yes to what opens a gate.
 */
export function setsSomething(
  facts: Pick<ChatFacts, "waitsForGate">,
  sessionId: string,
  text: string,
): boolean {
  const [, name = "", argument = ""] = /^\/(\S*)\s*(\S?)/u.exec(text.trim()) ?? [];
  const command = name.toLowerCase();
  const sets = Object.hasOwn(SETTING, command) ? SETTING[command] : undefined;
  if (sets !== undefined) return sets === "always" || argument !== "";
  return isYes(text) && facts.waitsForGate(sessionId);
}

/** Commands that set something; with nothing behind them most of them only show it. */
const SETTING: Readonly<Partial<Record<string, "always" | "with words">>> = {
  model: "with words",
  mode: "with words",
  routines: "with words",
  autouse: "with words",
  use: "always",
};
