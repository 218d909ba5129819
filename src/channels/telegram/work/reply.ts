import type { Clock } from "../../../core/clock.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { AgentEvent } from "../../channel.ts";
import {
  cutMarkdown,
  escapeUnlinked,
  type Message,
  toParts,
  toTelegramHtml,
} from "../message/message.ts";
import {
  MAX_LENGTH,
  MAX_PARTS,
  type Redact,
  renderEvent,
  toAnswer,
  toProgressText,
} from "../render/render.ts";

/** How often new text is looked for. */
const LOOK_MS = 250;

/** Turns the events of one turn into messages. */
export interface Reply extends Disposable {
  show(event: AgentEvent): void;
  /** Shows the whole text; for the end of the turn. `isFirst`: no earlier try showed anything. */
  finish(isFirst: boolean): void;
}

/**
 * Shows streamed text while it grows, at the pace of a reader, with a line below about what is
 * being done; and whole before anything else is shown, and at the end. `busy` is called again and
 * again until the reply is disposed of, or `signal` ends.
 */
export function createReply(
  target: TextTarget,
  {
    busy,
    ready,
    signal: ending,
  }: {
    readonly busy: () => void;
    readonly signal: AbortSignal;
    /** Waits until what is shown can be stored. */
    readonly ready: () => Promise<void> | undefined;
  },
): Reply {
  const { redact, post, texts, clock } = target;
  const over = new AbortController();
  const text = createGrowingText(target);

  async function watch(): Promise<void> {
    // What ends it all is looked at behind each pause: a signal made of both costs more.
    for (;;) {
      await clock.sleep(LOOK_MS, over.signal);
      if (ending.aborted) return;
      busy();
      await ready();
      if (ending.aborted || over.signal.aborted) return;
      text.look();
    }
  }

  busy();
  // Only the growing ends with it: the whole text is shown all the same.
  watch().catch(() => undefined);
  return {
    finish(isFirst) {
      text.flush();
      if (!isFirst) text.withdrawRest();
    },
    [Symbol.dispose]: () => over.abort(),
    show(event) {
      switch (event.kind) {
        case "content":
          return text.add(event.text);
        case "progress":
        case "tool_call":
          return text.note(toProgressText(event, redact));
        case "check_output":
        case "counted":
        case "tool_result":
        case "done":
          return;
        case "plan":
        case "research":
        case "approval":
        case "call_approval":
        case "call_result":
        case "file":
        case "outcome":
        case "choice":
        case "error":
          text.flush();
          return renderEvent(event, texts(), redact).forEach(post);
        default:
          event satisfies never;
      }
    },
  };
}

/** A whole sentence is shown after the first, any text after the second, mere progress after the third. */
const PATIENCE_MS = { sentence: 300, text: 1000, progress: 3000 } as const;

/** The text of a turn, shown while it grows. */
interface GrowingText {
  add(more: string): void;
  /** What is being done now, as one line; gone with the next text. */
  note(progress: string): void;
  /** Shows what is new, if it is time. */
  look(): void;
  /** Shows the whole; what is added after is a text of its own, in messages further down. */
  flush(): void;
  /** Takes back what an earlier try of the turn showed below. */
  withdrawRest(): void;
}

/** What it is written with. */
export interface TextTarget {
  /** Sends a message below the others. */
  readonly post: (message: Message) => void;
  /** Says how the text message number `part` of the turn looks from now on. */
  readonly put: (part: number, html: string) => void;
  /** Takes back the text messages of the turn from `part` on. */
  readonly withdraw: (part: number) => void;
  readonly redact: Redact;
  readonly clock: Clock;
  /** Least time between two looks of a message. */
  readonly paceMs: number;
  readonly texts: () => Texts;
}

/**
 * Text that ends at once is shown once. Text that is not whole ends behind a whole word, so that
 * no part of a secret is shown before it can be recognised as one.
 */
function createGrowingText(target: TextTarget): GrowingText {
  const { clock, redact } = target;
  let text = "";
  let progress = "";
  /** Not shown yet: since when there is anything, and whether something came since the last look. */
  let since = 0;
  let isNew = false;
  let shownAt: number | undefined;
  /** The messages of this text: number of the first, looks by now, most there ever were. */
  let first = 0;
  let looks: readonly string[] = [];
  let used = 0;

  function take(more: string, doing: string): void {
    if (more + doing === "") return;
    if (text + progress === "") since = clock.now();
    text += more;
    progress = doing;
    isNew = true;
  }

  function isTime(): boolean {
    const now = clock.now();
    if (shownAt !== undefined) return now - shownAt >= target.paceMs;
    if (text === "") return now - since >= PATIENCE_MS.progress;
    const isSentence = /[.!?:]\s|[。！？：\n]/.test(text);
    return now - since >= (isSentence ? PATIENCE_MS.sentence : PATIENCE_MS.text);
  }

  function draw(next: readonly string[]): void {
    for (const [index, html] of next.entries()) {
      if (html !== looks[index]) target.put(first + index, html);
    }
    if (next.length < looks.length) target.withdraw(first + next.length);
    looks = next;
    used = Math.max(used, next.length);
  }

  return {
    add: (more) => take(more, ""),
    note: (doing) => take("", doing),
    look() {
      if (!isNew || !isTime()) return;
      isNew = false;
      shownAt = clock.now();
      const words = cutMarkdown(redact(text), MAX_LENGTH);
      const line = progress === "" ? "" : `\n\n${escapeUnlinked(`⏳ ${progress}`, "i")}`;
      draw(toParts(toTelegramHtml(words) + line).slice(0, MAX_PARTS));
    },
    flush() {
      const { parts, file } = toAnswer(redact(text), target.texts().answer);
      draw(parts);
      if (file) target.post(file);
      first += used;
      [text, progress, isNew, shownAt, looks, used] = ["", "", false, undefined, [], 0];
    },
    withdrawRest: () => target.withdraw(first),
  };
}
