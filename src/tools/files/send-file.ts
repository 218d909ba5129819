import { setImmediate } from "node:timers/promises";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import { readWholeFile } from "../../workspace/read-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { failure, type Tool } from "../tool.ts";

/** Telegram takes no larger files from bots. */
export const MAX_SENT_BYTES = 50_000_000;
/** So much is looked through at once; a secret across two pieces is whole in one of them. */
const PIECE_BYTES = 1024 * 1024;
const OVERLAP_BYTES = 8192;

/** A file of the workspace as it was checked. */
export interface SentFile {
  readonly workspace: string;
  readonly path: string;
  readonly absolute: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The way to the person who asks. */
export interface FileWay {
  readonly send: (file: SentFile) => Promise<void>;
  /** It ends at this machine: the person is told where the file is. */
  readonly isLocal: boolean;
}

/** `send_file`: a file of the workspace for the person who asks, in the channel they ask in. */
export function createSendFileTool(
  workspace: Workspace,
  { send, isLocal }: FileWay,
  redact: (text: string) => string,
): Tool {
  return {
    schema: {
      name: "send_file",
      description: "Sends the user a file of the workspace, up to 50 MB",
      parameters: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
      },
    },
    isRare: true,
    origin: "own",
    leaves: "nothing",
    effect: () => (isLocal ? "none" : "send"),
    describe: ({ path }) => `Send the file "${String(path)}" of "${workspace.name}" to this chat`,
    async run({ path }, signal) {
      const guarded = resolvePath(workspace, String(path), "read");
      if (!guarded.ok) return failure("denied", guarded.message);
      if (!guarded.stat) {
        const { didYouMean } = await import("./nearest-paths.ts");
        const near = await didYouMean(workspace, guarded.path, "file", signal);
        // Whose names these are is not known.
        const missing = failure("not_found", `There is no file "${guarded.path}"${near}`);
        return { ...missing, origin: "workspace" };
      }
      const file = await readWholeFile(guarded, MAX_SENT_BYTES);
      if (!file.ok) return failure("invalid_args", file.message);
      // Half a file helps nobody: it is refused, not masked.
      if (await holdsSecret(file.bytes, redact, signal)) {
        return failure(
          "denied",
          `Cannot send "${guarded.path}": it holds what looks like a secret`,
        );
      }
      const { absolute } = guarded;
      const sent = { path: guarded.path, absolute, sha256: file.sha256 };
      await send({ ...sent, workspace: workspace.name, sizeBytes: file.bytes.length });
      return { ok: true, content: `The user ${isLocal ? "is shown where it lies" : "gets it"}` };
    },
  };
}

async function holdsSecret(
  bytes: Uint8Array,
  redact: (text: string) => string,
  signal: AbortSignal,
): Promise<boolean> {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const text = decoder.decode(bytes.subarray(start, start + PIECE_BYTES + OVERLAP_BYTES));
    if (redact(text) !== text) return true;
    await setImmediate();
    signal.throwIfAborted();
  }
  return false;
}
