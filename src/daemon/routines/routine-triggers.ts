import { createHash, timingSafeEqual } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { errorMessage } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Routine } from "../../routines/routine.ts";
import type { Scheduler } from "../../routines/scheduler.ts";
import type { RoutineHost } from "./host.ts";

/** What came of a request to run a routine, as an HTTP status with its reason. */
export interface Triggered {
  readonly status: 202 | 401 | 409 | 413;
  readonly message: string;
}

/** What webhooks are checked with. */
export interface WebhookHost extends Pick<RoutineHost, "routines" | "log"> {
  /** Gives the value of a reference. */
  readonly secrets: { readonly read: (reference: string) => string | undefined };
}

/** More is refused: a task is told about an event, not given its archive. */
const MOST_INPUT_BYTES = 64 * 1024;

/**
 * The webhook of routines. A name that is unknown, one without a secret, and a wrong secret get the
 * same answer in the same time, so that nobody learns which routines there are.
 */
export function createTrigger(
  { routines, secrets, log }: WebhookHost,
  scheduler: Pick<Scheduler, "trigger">,
): (name: string, secret: string, readBody: () => Promise<string>) => Promise<Triggered> {
  const readSecret = (reference: string) => {
    try {
      return secrets.read(reference);
    } catch (error) {
      log("ROUTINE_SECRET_UNREADABLE", { reason: errorMessage(error) });
      return undefined;
    }
  };
  return async (name, secret, readBody) => {
    const routine = routines.list().find((it) => it.name === name);
    const known = routine?.triggerSecret && readSecret(routine.triggerSecret);
    if (!isSame(secret, known ?? "") || !routine) {
      return { status: 401, message: "there is no such routine with this secret" };
    }
    const body = await readBody();
    if (Buffer.byteLength(body) > MOST_INPUT_BYTES) {
      return { status: 413, message: `the body is over ${MOST_INPUT_BYTES} bytes` };
    }
    if (!routine.enabled) return { status: 409, message: "the routine is disabled" };
    const input = body === "" ? {} : { input: toVisibleText(body) };
    return scheduler.trigger({ ...routine, ...input }, "webhook")
      ? { status: 202, message: "started" }
      : { status: 409, message: "the routine runs already, or papa-yu is about to stop" };
  };
}

function isSame(given: string, known: string): boolean {
  return timingSafeEqual(digest(given), digest(known)) && known !== "";
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Files that change in quick succession are one event. */
const QUIET_MS = 2_000;

/** Which routines watch files, and where. */
export type FileTriggerHost = Pick<RoutineHost, "routines" | "current" | "log">;

/** Watches workspaces for routines with a glob. */
export interface FileTriggers {
  /** Takes over which routines watch what. */
  refresh(): void;
  stop(): void;
}

/**
 * Runs routines when files of their workspace that fit their glob were written, once all has been
 * quiet for a while. Nothing is polled; what changes while the routine runs makes it run again.
 */
export function createFileTriggers(
  { routines, current, log }: FileTriggerHost,
  scheduler: Pick<Scheduler, "trigger">,
  quietMs = QUIET_MS,
): FileTriggers {
  const watchers = new Map<string, FSWatcher>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function arm(name: string): void {
    clearTimeout(timers.get(name));
    timers.set(
      name,
      setTimeout(() => fire(name), quietMs),
    );
  }

  function fire(name: string): void {
    timers.delete(name);
    const routine = routines.list().find((it) => it.name === name);
    if (routine?.enabled && !scheduler.trigger(routine, "files")) arm(name);
  }

  function open({ name, workspace, watch: pattern = "" }: Routine): void {
    const glob = new Bun.Glob(pattern);
    try {
      const { root } = current.agent.core.workspaces.get(workspace);
      const watcher = watch(root, { recursive: true }, (_event, path) => {
        if (path !== null && isPersons(path) && glob.match(path)) arm(name);
      });
      watcher.on("error", (error) => log("WATCH_FAILED", { routine: name, error: error.message }));
      watchers.set(toKey({ name, workspace, pattern }), watcher);
    } catch (error) {
      log("WATCH_FAILED", { routine: name, error: errorMessage(error) });
    }
  }

  return {
    refresh() {
      const wanted = routines.list().filter((it) => it.enabled && it.watch !== undefined);
      const keys = new Set(wanted.map((it) => toKey({ ...it, pattern: it.watch })));
      for (const [key, watcher] of watchers) {
        if (keys.has(key)) continue;
        watcher.close();
        watchers.delete(key);
      }
      for (const routine of wanted) {
        if (!watchers.has(toKey({ ...routine, pattern: routine.watch }))) open(routine);
      }
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function toKey(watched: {
  readonly name: string;
  readonly workspace?: string | undefined;
  readonly pattern?: string | undefined;
}): string {
  return JSON.stringify([watched.name, watched.workspace, watched.pattern]);
}

/** Not what papa-yu and git write for themselves. */
function isPersons(path: string): boolean {
  return !path.split("/").some((part) => part === ".papa-yu" || part === ".git");
}
