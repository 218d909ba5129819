import type {
  Asked,
  Conversation,
  Emit,
  KnownRequest,
  Origin,
  Press,
  Speaker,
  WorkState,
} from "../../src/channels/channel.ts";

/** A conversation that does what a test tells it and remembers what it was asked. */
export interface Script extends Conversation {
  readonly received: {
    readonly speaker: Speaker;
    readonly text: string;
    readonly attached?: string;
  }[];
  readonly presses: { readonly speaker: Speaker; readonly press: Press }[];
  readonly cancelled: string[];
  /** Whose messages and presses were ended alone, while they were worked on or before. */
  readonly ended: Speaker[];
  /** What became of works, by their ids. */
  readonly works: Map<string, WorkState>;
  /** Of whom and of what works were said to be. */
  readonly asked: Map<string, NonNullable<KnownRequest["asked"]>>;
}

/** What a test tells it; nothing for a press, unless told. */
export interface Behaviour {
  /** `cancelled` resolves when the session's work is cancelled. */
  readonly say: (
    text: string,
    emit: Emit,
    speaker: Speaker,
    cancelled: Promise<void>,
  ) => Promise<void> | void;
  readonly act?: (press: Press, emit: Emit, speaker: Speaker) => Promise<void> | void;
}

/** As the agent does, it ends every call with one `done`, and takes `/cancel` as a message, too. */
export function createScript({ say, act }: Behaviour): Script {
  const running = new Map<string, () => void>();
  const script: Script = {
    received: [],
    presses: [],
    cancelled: [],
    ended: [],
    works: new Map(),
    asked: new Map(),
    isBusy: () => false,
    workState: (workId) => script.works.get(workId) ?? { state: "unknown" },
    async message(speaker, said, emit, origin) {
      note(speaker, origin);
      const { words: text, ...more } = typeof said === "string" ? { words: said } : said;
      if (text === "/cancel") script.cancel(speaker.sessionId);
      else {
        script.received.push({ speaker, text, ...more });
        const cancelled = new Promise<void>((end) => {
          running.set(speaker.sessionId, end);
          whenEnded(origin, () => {
            script.ended.push(speaker);
            end();
          });
        });
        await say(text, emit, speaker, cancelled);
      }
      await emit({ kind: "done" });
    },
    async press(speaker, press, emit, origin) {
      note(speaker, origin);
      script.presses.push({ speaker, press });
      whenEnded(origin, () => script.ended.push(speaker));
      await act?.(press, emit, speaker);
      await emit({ kind: "done" });
    },
    cancel(sessionId) {
      script.cancelled.push(sessionId);
      running.get(sessionId)?.();
      return true;
    },
  };
  function note({ sessionId }: Speaker, origin: Origin | Asked | undefined): void {
    if (!origin || !("workId" in origin)) return;
    script.works.set(origin.workId, { state: "running" });
    script.asked.set(origin.workId, { sessionId, digest: origin.digest });
  }
  return script;
}

function whenEnded(origin: Origin | Asked | undefined, then: () => void): void {
  const ending = origin && "ending" in origin ? origin.ending : undefined;
  if (ending?.aborted) then();
  ending?.addEventListener("abort", then);
}
