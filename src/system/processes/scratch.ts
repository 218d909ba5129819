import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { AppError, describeDiskError } from "../../core/app-error.ts";
import { sha256 } from "../../core/sha256.ts";
import { listOrEmpty } from "../read-or-empty.ts";
import { isNamedRunning, nameProcess } from "./process-name.ts";

/** What a folder that lives no longer than its process is for. */
export type ScratchKind = "demo" | "doctor" | "door" | "open" | "probe" | "repair";

/** A folder for its maker alone. */
export interface Scratch extends Disposable {
  readonly path: string;
}

const PREFIX = "papa-yu-";
/** Kind, process, where its id holds, and what tells its folders apart. */
const NAME =
  /^papa-yu-(?:demo|doctor|door|open|probe|repair)-(\d+-[\w-]+)\.([0-9a-f]+)\.[0-9a-f]{8}$/;
/** What crashes left is removed a few at a time, so that nobody waits long for it. */
const MOST_AT_ONCE = 16;

/**
 * Makes a folder of mode 0700 whose name says which process it belongs to, and removes some of those
 * that processes left which were killed.
 *
 * @throws AppError ERR_IO when `parent` takes none
 */
export function makeScratch(kind: ScratchKind, parent = tmpdir()): Scratch {
  removeLeftScratch(parent);
  const own = `${nameProcess()}.${placeOfIds()}.${randomBytes(4).toString("hex")}`;
  const path = join(parent, `${PREFIX}${kind}-${own}`);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const options = { cause: error };
    const message = `Cannot make a folder in "${parent}": ${describeDiskError(error)}`;
    throw new AppError("ERR_IO", `${message}; TMPDIR says where such folders are`, options);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** How long the name of one is at most, for what has to fit below it. */
export const MOST_SCRATCH_CHARS = 72;

/**
 * Removes folders of processes of this user that are gone. What is a link, another user's, of a
 * process that runs or cannot be seen from here, or named in any other way is left alone. Never throws.
 */
export function removeLeftScratch(parent: string): void {
  const left = listOrEmpty(parent).filter((name) => isLeft(parent, name));
  for (const name of left.slice(0, MOST_AT_ONCE)) {
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // tried again with the next
    }
  }
}

function isLeft(parent: string, name: string): boolean {
  const [, owner = "", place = ""] = NAME.exec(name) ?? [];
  if (owner === "" || place !== placeOfIds()) return false;
  const own = nameProcess();
  // Who cannot be told from the next process of its id sees nothing of others, either.
  if (owner === own || /^\d+$/.test(own)) return false;
  const stat = lstatSync(join(parent, name), { throwIfNoEntry: false });
  const isOwn = stat?.isDirectory() === true && stat.uid === process.geteuid?.();
  return isOwn && !isNamedRunning(owner);
}

/** A container, or another machine, may share the folder and not the processes: there an id says nothing. */
function placeOfIds(): string {
  return sha256(`${namespaceOfIds()}\n${hostname()}`).slice(0, 10);
}

function namespaceOfIds(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
