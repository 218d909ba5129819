import {
  type AgentEvent,
  assertAnswer,
  type Origin,
  type Press,
  type Speaker,
} from "../../channel.ts";
import { toFailureLines } from "../../failure-lines.ts";
import type { Inbound } from "../intake/intake.ts";
import type { Reply } from "./reply.ts";
import type { UpdateContext } from "./update-context.ts";

/** Telegram's limit for the text that pops up after a press. */
const MAX_POPUP_LENGTH = 200;
/** What leaves the question open, or can be asked for again. */
const STAYING: ReadonlySet<Press["act"]> = new Set([
  "change",
  "show_output",
  "show_way",
  "run_routine",
  "routine_on",
  "routine_off",
]);
/** From its arrival a button must not look dead for longer, even when nothing is known yet. */
const ANSWER_WITHIN_MS = 5000;

/**
 * Hands a press on and tells the presser the truth: a refusal pops up (or is posted, where it
 * cannot), and nothing looks done before it is. The buttons go away unless the press failed,
 * so that the right person can still use them.
 */
export async function answerPress(
  press: Extract<Inbound, { readonly kind: "press" }>,
  { speaker, origin }: { readonly speaker: Speaker; readonly origin: Origin },
  reply: Reply,
  context: Pick<UpdateContext, "bot" | "agent" | "outgoing" | "wording" | "clock">,
): Promise<void> {
  let settled = false;
  let refused = false;
  const query = openQuery(press.queryId, context);
  const over = new AbortController();
  const age = context.clock.now() - origin.receivedAt;
  const left = Math.max(0, ANSWER_WITHIN_MS - age);
  context.clock.sleep(left, over.signal).then(query.silence, () => undefined);
  try {
    const show = async (event: AgentEvent) => {
      assertAnswer(event);
      if (event.kind === "error" && !settled) {
        refused = true;
        if (await query.popUp(toFailureLines(event, context.wording.texts()).join("\n"))) return;
      }
      settled ||= isResult(event);
      if (event.kind !== "done") await query.silence();
      reply.show(event);
    };
    await context.agent.conversation.press(speaker, press.press, show, origin);
  } finally {
    over.abort();
    await query.silence();
  }
  if (refused || context.bot.signal.aborted || STAYING.has(press.press.act)) return;
  context.outgoing.dropButtons(press.place, press.messageId);
}

function isResult({ kind }: AgentEvent): boolean {
  const results = [
    "content",
    "plan",
    "research",
    "approval",
    "call_approval",
    "call_result",
    "file",
    "choice",
  ];
  return kind === "outcome" || results.includes(kind);
}

/** The one answer a press can get. */
function openQuery(
  queryId: string,
  { bot: { api, signal }, wording }: Pick<UpdateContext, "bot" | "wording">,
) {
  let answered = false;

  async function answer(text: string): Promise<boolean> {
    if (answered) return false;
    answered = true;
    const popUp = text === "" ? {} : { text, show_alert: true };
    return api.answerCallbackQuery(queryId, popUp, signal).catch(() => false);
  }

  return {
    /** False when the text must be shown in another way. */
    popUp: async (text: string) => text.length <= MAX_POPUP_LENGTH && answer(wording.redact(text)),
    /** Stops the button's waiting mark without a word. */
    silence: () => answer(""),
  };
}
