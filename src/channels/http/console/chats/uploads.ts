import { newId } from "../../../../core/ids.ts";
import { MAX_FILE_BYTES } from "../../../channel.ts";
import { toFailureText } from "../../../failure-lines.ts";
import { toAsker, toConversation } from "../../parse-request.ts";
import { busy, misuse, refuse } from "../../refuse.ts";
import type { ChatFacts } from "../chat-facts.ts";

/** Files that were taken, until a message speaks of them. */
export interface Uploads {
  /** Takes the body as a file of the conversation that the query names. */
  take(request: Request, query: URLSearchParams, sender?: Sender): Promise<Response>;
  /** Where files of a conversation lie, by their ids; undefined: one of them is not known there. */
  find(sessionId: string, ids: readonly string[]): readonly string[] | undefined;
}

/** Who sends it, as long as they may. */
export interface Sender {
  /** They may not any more. */
  readonly end: AbortSignal | undefined;
  readonly isOut: () => boolean;
}

/** How the owner's conversations are named: nobody else sends files. */
const { prefix: OWNERS } = toAsker(undefined);
const ANYBODY: Sender = { end: undefined, isOut: () => false };

/** So many come at a time; each is a file on the disk. */
const MOST_AT_ONCE = 4;
/** So many are remembered; who sends more has sent the first in vain. */
const MOST_KNOWN = 200;
const MOST_NAME_CHARS = 1000;
/** A body may take so long; whoever is at the other end of a tunnel has as long as Telegram. */
const WITHIN_MS = 120_000;

interface Taken {
  readonly sessionId: string;
  readonly workspace: string;
  readonly path: string;
}

/** Nothing was taken yet; a start forgets what was. */
export function createUploads(
  facts: Pick<ChatFacts, "speaker" | "saveFile" | "workspaceOf">,
  withinMs = WITHIN_MS,
): Uploads {
  const known = new Map<string, Taken>();
  let running = 0;

  async function save(
    request: Request,
    { sessionId, name }: { readonly sessionId: string; readonly name: string },
    sender: Sender,
  ): Promise<Response> {
    const late = AbortSignal.timeout(withinMs);
    const workspace = facts.workspaceOf(sessionId);
    const file = { name, chunks: chunksOf(request, late, sender) };
    try {
      const saved = await facts.saveFile(sessionId, file, MAX_FILE_BYTES);
      if (!saved.ok) {
        return refuse(STATUS_OF[saved.trouble ?? "file"], (_, texts) =>
          toFailureText(saved, texts, "owner"),
        );
      }
      const { path } = saved;
      const id = newId("up");
      known.set(id, { sessionId, workspace, path });
      const [oldest] = known.keys();
      if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
      return Response.json({ ok: true, file_id: id, workspace, path }, NOT_KEPT);
    } catch (error) {
      if (error === OUT) return refuse(401, (say) => say.noSession);
      if (error === TOO_LARGE)
        return refuse(413, (say) => say.fileTooLarge(MAX_FILE_BYTES / 1024 / 1024));
      if (late.aborted) return refuse(408, (say) => say.fileLate);
      if (error instanceof CutOffError) return refuse(400, (say) => say.fileCutOff);
      throw error;
    }
  }

  return {
    async take(request, query, sender = ANYBODY) {
      const [named, id] = [query.get("session_id"), query.get("conversation")];
      const found = toConversation(named ?? undefined, id ?? undefined, OWNERS);
      if (!found.ok) return misuse(400, found.message);
      const name = query.get("name") ?? "";
      if (!found.isNamed || name === "" || name.length > MOST_NAME_CHARS) {
        return misuse(400, 'name the file and its conversation: "?session_id=…&name=…"');
      }
      const { sessionId } = found;
      if (!facts.speaker(sessionId)) return refuse(404, (say) => say.noConversation);
      if (Number(request.headers.get("content-length") ?? 0) > MAX_FILE_BYTES) {
        return refuse(413, (say) => say.fileTooLarge(MAX_FILE_BYTES / 1024 / 1024));
      }
      if (running >= MOST_AT_ONCE) return busy((say) => say.filesComing(MOST_AT_ONCE));
      running += 1;
      return save(request, { sessionId, name }, sender).finally(() => (running -= 1));
    },
    find(sessionId, ids) {
      const found = ids.map((id) => known.get(id));
      const workspace = facts.workspaceOf(sessionId);
      const own = found.filter(
        (each) => each?.sessionId === sessionId && each.workspace === workspace,
      );
      return own.length === ids.length ? own.flatMap((each) => each?.path ?? []) : undefined;
    },
  };
}

/** RFC 4918, 11.5: no room is told apart from what another try may mend, and from a file that nobody takes. */
const STATUS_OF = { file: 422, full: 507, disk: 503 } as const;

class CutOffError extends Error {}
const OUT = new Error("who sends it is out");
const TOO_LARGE = new Error("the file is too large");

/**
 * What comes of a body, up to its bound in bytes and time, and as long as who sends it is in; what
 * breaks off is no file.
 */
async function* chunksOf(
  request: Request,
  late: AbortSignal,
  { end, isOut }: Sender,
): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  const stop = () => void reader.cancel().catch(() => {});
  late.addEventListener("abort", stop, { once: true });
  end?.addEventListener("abort", stop, { once: true });
  let sizeBytes = 0;
  try {
    for (;;) {
      const next = await reader.read().catch((error: unknown) => {
        throw new CutOffError("the body broke off", { cause: error });
      });
      if (isOut()) throw OUT;
      late.throwIfAborted();
      if (next.done) break;
      sizeBytes += next.value.length;
      if (sizeBytes > MAX_FILE_BYTES) throw TOO_LARGE;
      yield next.value;
    }
    const declared = request.headers.get("content-length");
    if (declared !== null && Number(declared) !== sizeBytes) {
      throw new CutOffError("the body is shorter than it was said to be");
    }
  } finally {
    late.removeEventListener("abort", stop);
    end?.removeEventListener("abort", stop);
    stop();
  }
}

const NOT_KEPT = { headers: { "cache-control": "no-store" } };
