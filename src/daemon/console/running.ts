import type {
  AgentEvent,
  Asked,
  Captioned,
  Emit,
  Origin,
  Speaker,
} from "../../channels/channel.ts";
import { shorten } from "../../core/cut-text.ts";

/** A message or a press that is worked on, whichever channel it came by. */
export interface RunningWork {
  readonly channel: string;
  /** When it came. */
  readonly at: number;
  /** By which a client of the API asks for it. */
  readonly workId: string | undefined;
  /** Undefined for a press. */
  readonly words: string | undefined;
  /** It has ended, and stands here as long as what came before it is worked on. */
  readonly isOver: boolean;
  /** What was shown of it until now: pieces joined, what passes as it is now. */
  readonly events: readonly AgentEvent[];
}

/** What was said in a conversation, by whom and how. */
export interface Observed {
  readonly channel: string;
  readonly speaker: Speaker;
  readonly said: string | Captioned | undefined;
  readonly origin: Origin | Asked | undefined;
}

/** While it runs. */
interface Growing extends Omit<RunningWork, "events" | "isOver"> {
  events: readonly AgentEvent[];
  isOver: boolean;
  /** The newest message before it. */
  from: number;
}

/** Observes what every channel is told, for who looks on. */
export interface WorkObserver {
  /** What is to be told in the place of `emit`. */
  observe(work: Observed, emit: Emit): Emit;
  /** What runs in a conversation, in the order in which it came. */
  running(sessionId: string): readonly RunningWork[];
  /** Messages behind this one are those of what runs: they are shown by that until it is over. */
  newestBefore(sessionId: string): number;
  /** Told the conversation in which something was said or shown. */
  listen(told: (sessionId: string) => void): void;
}

/** Who observes what is said in any channel: nobody, until somebody looks on. */
export interface ObserverSlot {
  observer: WorkObserver | undefined;
}

/** So much of an answer is there to be looked on at; the whole is kept when it ends. */
const MOST_CHARS = 200_000;
const MOST_EVENTS = 400;

/** Has observed nothing yet; what is over is forgotten, since the conversation keeps it. */
export function createWorkObserver(
  now: () => number,
  newest: (sessionId: string) => number,
): WorkObserver {
  const works = new Map<string, readonly Growing[]>();
  const listeners = new Set<(sessionId: string) => void>();

  function tell(sessionId: string): void {
    for (const told of listeners) told(sessionId);
  }

  /** What is over goes when nothing before it runs; what has not begun has kept nothing yet. */
  function end(sessionId: string, own: Growing): void {
    own.isOver = true;
    const all = works.get(sessionId) ?? [];
    const first = all.findIndex(({ isOver }) => !isOver);
    if (first === 0) return;
    const left = first < 0 ? [] : all.slice(first);
    const at = newest(sessionId);
    for (const each of left) if (each.events.length === 0) each.from = at;
    if (left.length > 0) works.set(sessionId, left);
    else works.delete(sessionId);
  }

  return {
    observe({ channel, speaker: { sessionId }, said, origin }, emit) {
      const workId = origin && "workId" in origin ? origin.workId : undefined;
      const words = typeof said === "string" ? said : said?.words;
      const from = newest(sessionId);
      const own: Growing = { channel, at: now(), workId, words, events: [], isOver: false, from };
      works.set(sessionId, [...(works.get(sessionId) ?? []), own]);
      tell(sessionId);
      return async (event) => {
        if (event.kind === "counted") return emit(event); // no page shows it
        if (event.kind === "done") end(sessionId, own);
        else own.events = add(own.events, event);
        tell(sessionId);
        await emit(event);
      };
    },
    running: (sessionId) => works.get(sessionId) ?? [],
    newestBefore(sessionId) {
      const all = works.get(sessionId) ?? [];
      return Math.min(...all.map(({ from }) => from), Number.MAX_SAFE_INTEGER - 1);
    },
    listen: (told) => void listeners.add(told),
  };
}

function isPassing({ kind }: AgentEvent): boolean {
  return kind === "progress" || kind === "check_output";
}

function add(events: readonly AgentEvent[], event: AgentEvent): readonly AgentEvent[] {
  const last = events.at(-1);
  const staying = last && isPassing(last) ? events.slice(0, -1) : events;
  const before = staying.at(-1);
  if (event.kind !== "content" || before?.kind !== "content") {
    return [...(staying.length < MOST_EVENTS ? staying : staying.toSpliced(0, 1)), event];
  }
  if (before.text.length >= MOST_CHARS) return staying;
  const text = shorten(before.text + event.text, MOST_CHARS);
  return [...staying.slice(0, -1), { kind: "content", text }];
}
