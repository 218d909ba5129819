import { type FSWatcher, watch } from "node:fs";
import { errorMessage } from "../../core/app-error.ts";
import type { Routine } from "../../routines/routine.ts";
import type { Scheduler } from "../../routines/scheduler.ts";
import { identifyFile } from "../../system/remember-file.ts";
import type { RoutineHost } from "./host.ts";

/** Files that change in quick succession are one event. */
const QUIET_MS = 2_000;

/** Where a folder was replaced, nothing tells of it. */
const LOOK_MS = 60_000;

/** What could not be started is tried again, at last so seldom. */
const MOST_PAUSE_MS = 60_000;

/** Which routines watch files, and where. */
export type FileTriggerHost = Pick<RoutineHost, "routines" | "current" | "log">;

/** Watches workspaces for routines with a glob. */
export interface FileTriggers {
  /** Takes over which routines watch what, and where that is now; never throws. */
  refresh(): void;
  /** What was written and has not run is run with the next start. */
  stop(): void;
}

/** How long is waited, in milliseconds. */
interface Pace {
  readonly quietMs?: number;
  readonly lookMs?: number;
}

/** What one routine watches: another folder at the same path is another place. */
interface Place {
  readonly name: string;
  readonly pattern: string;
  readonly root: string;
  readonly folder: string;
}

/**
 * Runs routines when files of their workspace that fit their glob were written, once all has been
 * quiet for a while. No file is polled, only once a minute whether the folder is still the same;
 * what changes while the routine runs makes it run again. A folder that takes the place of the one
 * that was watched counts as written.
 */
export function createFileTriggers(
  { routines, current, log }: FileTriggerHost,
  scheduler: Pick<Scheduler, "trigger" | "postpone">,
  { quietMs = QUIET_MS, lookMs = LOOK_MS }: Pace = {},
): FileTriggers {
  const watchers = new Map<string, { readonly place: Place; readonly watcher: FSWatcher }>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Why routines watch nothing, by their names, as it was told last. */
  const told = new Map<string, string>();
  /** Routines whose watch ended, so that nobody knows what was written since. */
  const blind = new Set<string>();
  let again: ReturnType<typeof setTimeout> | undefined;
  const looks = setInterval(refresh, lookMs);

  function arm(name: string, pauseMs = quietMs): void {
    clearTimeout(timers.get(name));
    timers.set(
      name,
      setTimeout(() => fire(name, pauseMs), pauseMs),
    );
  }

  function fire(name: string, pauseMs: number): void {
    timers.delete(name);
    try {
      const routine = routines.list().find((it) => it.name === name);
      if (routine?.enabled && !scheduler.trigger(routine, "files")) arm(name);
    } catch (error) {
      // A full disk, say: what was written is not forgotten for it.
      log("ROUTINE_ERROR", { routine: name, error: errorMessage(error) });
      arm(name, Math.min(2 * pauseMs, MOST_PAUSE_MS));
    }
  }

  function postpone(name: string): void {
    try {
      const routine = routines.list().find((it) => it.name === name);
      if (routine?.enabled) scheduler.postpone(routine, "files");
    } catch (error) {
      log("ROUTINE_ERROR", { routine: name, error: errorMessage(error) });
    }
  }

  function refresh(): void {
    try {
      follow(routines.list().filter((it) => it.enabled && it.watch !== undefined));
    } catch (error) {
      report("", error);
    }
  }

  function follow(wanted: readonly Routine[]): void {
    const places = new Map<string, Place>();
    for (const routine of wanted) {
      try {
        const place = locate(routine);
        const key = JSON.stringify(place);
        places.set(key, place);
        if (watchers.has(key)) told.delete(routine.name);
        else open(place, key);
      } catch (error) {
        report(routine.name, error);
      }
    }
    for (const key of watchers.keys()) if (!places.has(key)) close(key);
    const names = new Set(wanted.map(({ name }) => name));
    for (const name of [...told.keys(), ...blind]) {
      if (names.has(name) || name === "") continue;
      told.delete(name);
      blind.delete(name);
    }
  }

  function locate({ name, workspace, watch: pattern = "" }: Routine): Place {
    const { root } = current.agent.core.workspaces.get(workspace);
    const folder = identifyFile(root);
    if (folder === undefined) throw new Error(`there is no folder "${root}"`);
    return { name, pattern, root, folder };
  }

  function open(place: Place, key: string): void {
    const { name, pattern, root } = place;
    const glob = new Bun.Glob(pattern);
    const watcher = watch(root, { recursive: true }, (_event, path) => {
      // Of the folder itself there is no path: it was moved, or more happened than could be told.
      if (!path) lose(key);
      else if (isPersons(path) && glob.match(path)) arm(name);
    });
    watcher.on("error", (error) => {
      report(name, error);
      lose(key);
    });
    watcher.on("close", () => lose(key));
    const isReplaced = watchers.values().some(({ place: was }) => isBefore(was, place));
    watchers.set(key, { place, watcher });
    if (blind.delete(name) || isReplaced) arm(name);
  }

  /** Its watcher ended: it is opened anew as soon as its folder is there. */
  function lose(key: string): void {
    const lost = watchers.get(key);
    if (!lost) return;
    blind.add(lost.place.name);
    close(key);
    clearTimeout(again);
    again = setTimeout(refresh, quietMs);
  }

  function close(key: string): void {
    const closed = watchers.get(key);
    watchers.delete(key);
    closed?.watcher.close();
  }

  /** Says why a routine watches nothing, and again only when that is another reason. */
  function report(name: string, error: unknown): void {
    const reason = errorMessage(error);
    if (told.get(name) === reason) return;
    told.set(name, reason);
    log("WATCH_FAILED", { routine: name, error: reason });
  }

  return {
    refresh,
    stop() {
      clearInterval(looks);
      clearTimeout(again);
      for (const [name, timer] of timers) {
        clearTimeout(timer);
        postpone(name);
      }
      for (const key of watchers.keys()) close(key);
    },
  };
}

/** Whether the one folder was where the other is now. */
function isBefore(was: Place, now: Place): boolean {
  return was.name === now.name && was.pattern === now.pattern && was.root === now.root;
}

/** Not what papa-yu and git write for themselves. */
function isPersons(path: string): boolean {
  return !path.split("/").some((part) => part === ".papa-yu" || part === ".git");
}
