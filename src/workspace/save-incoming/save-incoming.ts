import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { describeDiskError, type Failure, systemErrorCode } from "../../core/app-error.ts";
import type { ErrorCode } from "../../core/error-codes.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { type PinnedDir, pinDirectory } from "../../system/pinned-dir.ts";
import { resolvePath } from "../path-guard/path-guard.ts";
import type { Workspace } from "../workspace.ts";
import { numberedName, toSafeName } from "./safe-name.ts";
import { holdsTheSame } from "./same-content.ts";

/** Where files that people send are put, in the workspace of their session. */
export const INBOX = "inbox";
/** Not executable, even if it was. */
const MODE = 0o644;
const MAX_NUMBER = 1000;
/** A file on its way, by the process that writes it. */
const PART = /^\.(\d+)-[0-9a-f]{12}\.part$/u;

/** A file that was saved, by its path in the workspace. */
export interface SavedFile {
  readonly ok: true;
  readonly path: string;
  readonly sizeBytes: number;
}

/** Why a file was not saved. */
export interface NotSaved extends Failure {
  /** The machine is at fault, and not what was sent: it has no room for it, or its disk fails. */
  readonly trouble?: "full" | "disk";
}

/**
 * Writes a file that somebody sent into the workspace's inbox folder, under a safe name and next to
 * what is there: nothing is overwritten. The same content under the same name is there once. What
 * breaks off or is too long leaves nothing.
 *
 * @throws what `chunks` throws
 */
export async function saveIncoming(
  workspace: Workspace,
  file: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> },
  maxBytes: number,
): Promise<SavedFile | NotSaved> {
  const shown = toVisibleText(file.name);
  const name = toSafeName(file.name);
  if (name === undefined) return refuse("ERR_PROTECTED_PATH", shown, "hidden files are not taken");
  const guarded = resolvePath(workspace, `${INBOX}/${name}`, "write");
  // What has the name is no obstacle, whatever it is: the file goes next to it.
  const isName = guarded.ok || guarded.code === "ERR_INVALID_PATH";
  const refusal = isName ? resolvePath(workspace, INBOX, "write") : guarded;
  if (!refusal.ok) return refuse(refusal.code, shown, refusal.reason);
  try {
    return await saveNextTo(workspace, { ...file, name }, maxBytes);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    const trouble = TROUBLES[code];
    const refused = refuse("ERR_IO", shown, describeDiskError(error));
    return { ...refused, ...(trouble && { trouble }) };
  }
}

/** What the system says where the same file may be taken another time (errno(3)). */
const TROUBLES: Readonly<Record<string, NotSaved["trouble"]>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EIO: "disk",
  EROFS: "disk",
  EMFILE: "disk",
  ENFILE: "disk",
  ENOMEM: "disk",
};

async function saveNextTo(
  workspace: Workspace,
  { name, chunks }: { readonly name: string; readonly chunks: AsyncIterable<Uint8Array> },
  maxBytes: number,
): Promise<SavedFile | Failure> {
  const inbox = openInbox(workspace);
  const temporary = `.${process.pid}-${randomBytes(6).toString("hex")}.part`;
  try {
    const sizeBytes = await write(inbox.entry(temporary), chunks, maxBytes);
    if (sizeBytes === undefined) {
      const limit = `it is over ${Math.floor(maxBytes / 1024 / 1024)} MB`;
      return refuse("too_large", name, limit);
    }
    const path = `${INBOX}/${await settle(workspace, inbox, temporary, name)}`;
    inbox.sync();
    return { ok: true, path, sizeBytes };
  } finally {
    rmSync(inbox.entry(temporary), { force: true });
    inbox.close();
  }
}

/** For a start: removes what processes that were killed left of files that came in. */
export function removeLeftovers({ root }: Workspace, isRunning: (pid: number) => boolean): void {
  const top = pinDirectory(root);
  try {
    const inbox = top.open(INBOX);
    try {
      for (const name of readdirSync(inbox.entry("."))) {
        const pid = PART.exec(name)?.[1];
        if (pid !== undefined && !isRunning(Number(pid))) rmSync(inbox.entry(name));
      }
    } finally {
      inbox.close();
    }
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "ELOOP"].includes(systemErrorCode(error) ?? "")) throw error;
  } finally {
    top.close();
  }
}

/** The folder held open, so that nobody can put a link in its place while a file comes in. */
function openInbox({ root }: Workspace): PinnedDir {
  const top = pinDirectory(root);
  try {
    try {
      mkdirSync(top.entry(INBOX));
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
    }
    return top.open(INBOX);
  } finally {
    top.close();
  }
}

/** How many bytes it was; undefined when there is more than may be. */
async function write(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<number | undefined> {
  const fd = openSync(path, "wx", MODE);
  let sizeBytes = 0;
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) return undefined;
      writeFileSync(fd, chunk);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return sizeBytes;
}

/** Gives the file its name, or the next one that is free; says which. */
async function settle(
  workspace: Workspace,
  inbox: PinnedDir,
  temporary: string,
  name: string,
): Promise<string> {
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const candidate = numberedName(name, number);
    // A link, a pipe, or a name that this disk does not tell from it.
    if (!resolvePath(workspace, `${INBOX}/${candidate}`, "write").ok) continue;
    const path = inbox.entry(candidate);
    try {
      closeSync(openSync(path, "wx", MODE)); // the name is ours from here on
      renameSync(inbox.entry(temporary), path);
      return candidate;
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
      if (await holdsTheSame(path, inbox.entry(temporary))) return candidate;
    }
  }
  throw Object.assign(new Error(`EEXIST: ${MAX_NUMBER} files have this name`), { code: "EEXIST" });
}

function refuse(code: ErrorCode, name: string, reason: string): Failure {
  return { ok: false, code, message: `Cannot save "${name}": ${reason}` };
}
