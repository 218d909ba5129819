import type { Texts } from "../../texts/texts.ts";
import { type Answers, createAnswers } from "../answers.ts";
import {
  type Asked,
  type Conversation,
  type Emit,
  type FileEvent,
  UNEXPECTED,
} from "../channel.ts";
import type { Watched } from "./console/console.ts";
import {
  type Asker,
  type ChatRequest,
  type MessageRequest,
  type ParsedPress,
  type ParsedRequest,
  parseRequest,
  toAsker,
} from "./parse-request.ts";
import { misread, misuse, refuse } from "./refuse.ts";
import { streamEvents, type ToData, type Work } from "./stream-events.ts";
import { toData } from "./to-data.ts";
import {
  inFirstSession,
  toAsked,
  toAskedWork,
  toMisuse,
  toWorkId,
  toWorkReport,
} from "./work-id.ts";

/** What messages and presses are answered with. */
export interface MessageHandlerOptions {
  readonly conversation: Conversation;
  readonly texts: () => Texts;
  readonly failed: (error: string) => void;
  /** Something was said or pressed. */
  readonly changed: () => void;
}

/** Says at once in whose name a message counts, or which press it is; or why it is not taken. */
type Authorize = (message: MessageRequest) => ChatRequest | Response;

/** How one request is answered. */
export interface Answered {
  /** Who asks, where it is not the owner. */
  readonly other: string | undefined;
  /** The name that the client gave it. */
  readonly key: string | null;
  /** Says in whose name a press counts, or why it does not. */
  readonly place: (read: ParsedPress) => Promise<ParsedPress | Response>;
  /** `isNeeded`: there is more to a message than its words. Undefined: there is nobody to decide on it. */
  readonly checkFor: (isNeeded: boolean) => Promise<Authorize | undefined>;
  /** Listens for the end of the session that asks, if one does. */
  readonly watch?: (() => Watched) | undefined;
  /** Has a file that is for a person sent to them where they are. */
  readonly onFile?: ((file: FileEvent) => void) | undefined;
}

/** Messages and presses, each with an event stream for an answer. */
export interface MessageHandler {
  answer(path: string, text: string, how: Answered): Promise<Response>;
  /** What became of a work of who asks; undefined: the path asks for none. */
  report(path: string, other: string | undefined): Response | undefined;
  readonly settled: Answers["settled"];
}

/** Loaded with the first message, so that a start is faster. */
export function createMessageHandler(options: MessageHandlerOptions): MessageHandler {
  const { conversation, texts, changed } = options;
  const answers = createAnswers(options.failed);
  const asIs: ToData = (event) => toData(event, texts());
  const createRendered = async (): Promise<ToData> => {
    const { createRenderedData } = await import("./rendered-data.ts");
    return createRenderedData(asIs, () => performance.now());
  };
  const queues = createQueues(conversation.cancel);

  async function carryOut(
    chatRequest: ChatRequest,
    { asker, isAway }: { readonly asker: Asker; readonly isAway: boolean },
    asked: Asked,
    emit: Emit,
  ): Promise<void> {
    const { sessionId } = chatRequest;
    const userId = chatRequest.userId ?? asker.userId;
    const speaker = { sessionId, userId, ...(isAway && { isAway: true as const }) };
    try {
      if (chatRequest.kind === "message") {
        const { text: words, attached } = chatRequest;
        const said = attached === undefined ? words : { words, attached };
        await conversation.message(speaker, said, emit, asked);
      } else await conversation.press(speaker, chatRequest.press, emit, asked);
    } catch (error) {
      await emit(UNEXPECTED);
      throw error;
    } finally {
      changed();
    }
  }

  return {
    settled: (patience) => answers.settled(patience),
    report(path, other) {
      const asked = toAskedWork(path);
      if (asked === undefined) return undefined;
      return Response.json(
        toWorkReport(asked, conversation.workState(toAsker(other).prefix + asked)),
      );
    },
    async answer(path, text, { other, key, place, checkFor, watch, onFile }) {
      const asker = toAsker(other);
      const parsed = parseRequest(path, text, asker);
      if (!parsed.ok) return misread(parsed);
      const read = isPress(parsed) ? await place(parsed) : parsed;
      if (read instanceof Response) return read;
      const { request } = read;
      const authorize =
        request.kind === "message" ? await checkFor(needsCheck(request, asker)) : undefined;
      const given = toWorkId(key);
      if (!given.ok) return misuse(400, given.message);
      const asked = toAsked(asker.prefix + given.id, read.request);
      const events = { headers: { ...EVENTS, "x-work-id": given.id } };
      const render = read.request.isRendered ? await createRendered() : asIs;
      // From here on nothing is waited for: what is decided on is what is carried out.
      const before = conversation.workState(asked.workId);
      const misused = toMisuse(read, asked, before);
      if (misused) return misuse(misused.status, `"${given.id}" ${misused.reason}`);
      if (before.state === "running") return refuse(409, (say) => say.workRuns(given.id));
      const meant = inFirstSession(read, before);
      // What was done already is told, whatever has become of what it was an answer to.
      const isToDo = meant.kind === "message" && before.state !== "ended";
      if (isToDo && !authorize && needsCheck(meant, asker)) {
        return misuse(409, "name the conversation that is meant");
      }
      const chatRequest = isToDo && authorize ? authorize(meant) : meant;
      if (chatRequest instanceof Response) return chatRequest;
      const watched = watch?.();
      // What is answered in a conversation of the phone is told there, files too.
      const by = { asker, isAway: onFile !== undefined };
      const give = chatRequest.sessionId.startsWith(asker.prefix) ? onFile : undefined;
      const open = (work: Work, onLeave = () => {}) => {
        const whole: Work = (emit) => {
          const tell: Emit = (event) => {
            if (event.kind === "file") give?.(event);
            return emit(event);
          };
          return work(tell).finally(() => watched?.[Symbol.dispose]());
        };
        const data = give ? sayingSent(render) : render;
        return new Response(streamEvents(whole, data, onLeave, { end: watched?.end }), events);
      };
      if (before.state === "ended") {
        // Sent again because its answer did not arrive: nothing is done twice.
        return open(async (emit) => {
          for (const outcome of before.outcomes) await emit({ kind: "outcome", outcome });
        });
      }
      // Approved work goes on, even when nobody listens; and so does what is said where others speak,
      // too: what runs there may be theirs.
      if (chatRequest.kind === "press" || !chatRequest.sessionId.startsWith(asker.prefix)) {
        return open((emit) => answers.track(carryOut(chatRequest, by, asked, emit)));
      }
      const queued = queues.join(chatRequest.sessionId);
      return open(
        (emit) => answers.track(carryOut(chatRequest, by, asked, emit).finally(queued.end)),
        queued.leave,
      );
    },
  };
}

/**
 * Whether there is more to a message than its words: its client says what it shows, files came before
 * it, or it is for another channel's conversation.
 */
function needsCheck({ sessionId, shown, files }: MessageRequest, { prefix }: Asker): boolean {
  return shown !== undefined || files !== undefined || !sessionId.startsWith(prefix);
}

/** Says of a file that it goes to the person as well. */
function sayingSent(render: ToData): ToData {
  return (event) => {
    const documents = render(event);
    if (event.kind !== "file") return documents;
    return documents.map((each) =>
      "file" in each ? Object.assign({ sent_to: "telegram" }, each) : each,
    );
  };
}

function isPress(read: Extract<ParsedRequest, { readonly ok: true }>): read is ParsedPress {
  return read.request.kind === "press";
}

const EVENTS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** One message of a session from its arrival to its end. */
interface Place {
  hasLeft: boolean;
}

/** Tells which message of a session is worked on: the oldest that has not ended. */
interface Queues {
  /** To be called in the order of arrival; `end` when its answer is given. */
  join(sessionId: string): { readonly leave: () => void; readonly end: () => void };
}

/**
 * Cancels work whose client is gone: the work of a client that left, as soon as it is the one
 * that runs, and never that of another client of the same session.
 */
function createQueues(cancel: (sessionId: string) => void): Queues {
  const queues = new Map<string, Place[]>();
  return {
    join(sessionId) {
      const place: Place = { hasLeft: false };
      const queue = queues.get(sessionId) ?? [];
      queues.set(sessionId, [...queue, place]);
      return {
        leave() {
          place.hasLeft = true;
          if (queues.get(sessionId)?.[0] === place) cancel(sessionId);
        },
        end() {
          const left = (queues.get(sessionId) ?? []).filter((each) => each !== place);
          if (left.length > 0) queues.set(sessionId, left);
          else queues.delete(sessionId);
          // What follows begins only after this; its work can be cancelled once it has.
          if (left[0]?.hasLeft) setImmediate(cancel, sessionId);
        },
      };
    },
  };
}
