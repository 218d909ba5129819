import { type Command, toCommand } from "../../../../protocol/command.ts";
import { decideIntent } from "../../../../protocol/intent.ts";
import { toAttached } from "../../../../security/untrusted.ts";
import { takesNoFiles } from "../../../channel.ts";
import type { ChatRequest, MessageRequest, ParsedPress } from "../../parse-request.ts";
import { refuse } from "../../refuse.ts";
import type { ChatFacts, WaitingThere } from "../chat-facts.ts";
import type { Uploads } from "./uploads.ts";

/** What it depends on whether a message counts. */
export interface MessageContext {
  readonly facts: Pick<ChatFacts, "speaker" | "waiting" | "isBusy" | "waitsForGate">;
  readonly uploads: Pick<Uploads, "find">;
  /** Who says it came in from this machine a moment ago. */
  readonly isFresh: boolean;
  /** Who says it is at no machine of papa-yu's: it is said in conversations of this API alone, without files. */
  readonly isAway: boolean;
  /** How sessions of this API begin that are theirs. */
  readonly prefix: string;
  /** What a press has to pass, whether it was made by a button or by words. */
  readonly place: (read: ParsedPress) => ParsedPress | Response;
}

/**
 * In whose name a message counts, at once: nothing is waited for between this and the work. A yes or
 * a no of who says what they show becomes the answer to exactly that, or is none; so is one in a
 * conversation of another channel, which shows its questions elsewhere.
 */
export function authorizeMessage(
  message: MessageRequest,
  parts: MessageContext,
): ChatRequest | Response {
  const { facts, uploads, isFresh, isAway, prefix } = parts;
  const { sessionId, text, files = [] } = message;
  const isOfApi = sessionId.startsWith(prefix);
  const speaker = isAway && !isOfApi ? undefined : facts.speaker(sessionId);
  if (!speaker) return refuse(404, (say) => say.notToSpeakIn);
  const command = toCommand(text);
  const answer = toAnswer(text, command);
  const opensGate = answer !== undefined && answer !== "no" && facts.waitsForGate(sessionId);
  if (!isFresh && (opensGate || setsSomething(command)))
    return refuse(403, (say) => say.signInAgain);
  const { userId } = speaker;
  const isBound = message.shown !== undefined || !isOfApi;
  const waiting = answer && facts.waiting(sessionId);
  const act = answer && waiting && toAct(answer, waiting);
  if (act && files.length > 0) return refuse(422, (say) => say.takesNoFiles);
  if (answer && isBound) {
    if (act && waiting) return toPress(message, { userId, act, waiting }, parts);
    // What runs may ask something by the time that this is read; and /apply passes no call by.
    const mayMeanAnother = facts.isBusy(sessionId) || (answer === "apply" && waiting !== undefined);
    if (mayMeanAnother) return refuse(409, (_, texts) => texts.console.notShownHere);
  }
  if (files.length === 0) return { ...message, userId };
  if (isAway) return refuse(403, (say) => say.filesTakenThere);
  if (takesNoFiles(text)) return refuse(422, (say) => say.takesNoFiles);
  const paths = uploads.find(sessionId, files);
  if (!paths) return refuse(422, (say) => say.fileForgotten);
  return { ...message, userId, attached: toAttached(paths) };
}

/** The press that words are on what waits, if that is before the eyes of who says them. */
function toPress(
  { sessionId, text, shown = [], isRendered }: MessageRequest,
  { userId, act, waiting: { ref, digest } }: Meant,
  { place }: Pick<MessageContext, "place">,
): ChatRequest | Response {
  const isShown = shown.some((each) => each.ref === ref && each.digest === digest);
  if (!isShown) return refuse(409, (_, texts) => texts.console.notShownHere);
  const request = {
    kind: "press",
    sessionId,
    userId,
    press: { act, ref, said: text },
    ...(isRendered && { isRendered }),
    ...(digest !== undefined && { digest }),
  } as const;
  const placed = place({ ok: true, isNamed: true, request });
  return placed instanceof Response ? placed : placed.request;
}

/** In whose name something is pressed, and on what. */
interface Meant {
  readonly userId: string;
  readonly act: NonNullable<ReturnType<typeof toAct>>;
  readonly waiting: WaitingThere;
}

/** A yes or a no, and nothing else; `apply` is a yes to a plan and its change set, and to no call. */
type Answer = "yes" | "no" | "apply";

function toAnswer(text: string, command: Command | undefined): Answer | undefined {
  // With words behind it, it is a yes to nothing: whoever runs it says so.
  if (command) return command.name === "apply" && command.argument === "" ? "apply" : undefined;
  const { kind } = decideIntent(text, { hasPlan: true, isAsked: true });
  if (kind === "apply_stored") return "yes";
  return kind === "reject" ? "no" : undefined;
}

/** The press that an answer is to what waits; undefined: it is none to that. */
function toAct(answer: Answer, { kind }: WaitingThere): "apply" | "approve" | "reject" | undefined {
  if (kind === "plan") return answer === "no" ? undefined : "apply";
  if (answer === "no") return "reject";
  return answer === "apply" && kind === "call" ? undefined : "approve";
}

/** Whether a command sets something, and so wants a browser that came in from this machine a moment ago. */
function setsSomething(command: Command | undefined): boolean {
  if (!command || !Object.hasOwn(SETTING, command.name)) return false;
  return SETTING[command.name] === "always" || command.argument !== "";
}

/** Commands that set something; with nothing behind them most of them only show it. */
const SETTING: Readonly<Partial<Record<string, "always" | "with words">>> = {
  model: "with words",
  mode: "with words",
  routines: "with words",
  autouse: "with words",
  use: "always",
};
