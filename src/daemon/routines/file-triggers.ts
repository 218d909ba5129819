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

/** How folders are watched; how long is waited is in milliseconds. */
export interface HowWatched {
  readonly quietMs?: number;
  readonly lookMs?: number;
  /** Why routines watch nothing, or not all of their folder, by their names: kept as it is now. */
  readonly troubles?: Map<string, string>;
  /** A daemon of a copy of this home runs the routines, so nothing is watched for them here. */
  readonly isHeld?: () => boolean;
}

interface Watching {
  readonly place: Place;
  readonly watcher: FSWatcher;
  /** By the clock of `performance`. */
  readonly openedAt: number;
  /** Why a part of the folder is not watched. */
  trouble?: string;
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
  {
    quietMs = QUIET_MS,
    lookMs = LOOK_MS,
    troubles: told = new Map(),
    isHeld = () => false,
  }: HowWatched = {},
): FileTriggers {
  const watchers = new Map<string, Watching>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Routines whose watch ended, so that nobody knows what was written since, and how long they wait to run. */
  const blind = new Map<string, number>();
  /** How long those waited whose watch ended soon after it began. */
  const pauses = new Map<string, number>();
  let again: ReturnType<typeof setTimeout> | undefined;
  const looks = setInterval(() => {
    // What could not be watched may be by now.
    for (const [key, { trouble }] of watchers) if (trouble !== undefined) close(key);
    refresh();
  }, lookMs);

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
      const wanted = isHeld() ? [] : routines.list();
      follow(wanted.filter((it) => it.enabled && it.watch !== undefined));
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
        const watching = watchers.get(key);
        if (!watching) open(place, key);
        else if (watching.trouble === undefined) told.delete(routine.name);
      } catch (error) {
        report(routine.name, error);
      }
    }
    for (const key of watchers.keys()) if (!places.has(key)) close(key);
    const names = new Set(wanted.map(({ name }) => name));
    for (const name of [...told.keys(), ...blind.keys(), ...pauses.keys()]) {
      if (names.has(name) || name === "") continue;
      for (const kept of [told, blind, pauses]) kept.delete(name);
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
    const watching: Watching = { place, watcher, openedAt: performance.now() };
    // A folder in it that cannot be read, or one too many for the system: the rest is watched, and a
    // watch opened for that once more would fail again.
    watcher.on("error", (error) => {
      watching.trouble = errorMessage(error);
      report(name, error);
    });
    watcher.on("close", () => {
      if (watchers.get(key) === watching) lose(key);
    });
    const isReplaced = watchers.values().some(({ place: was }) => isBefore(was, place));
    watchers.set(key, watching);
    const pauseMs = blind.get(name) ?? (isReplaced ? quietMs : undefined);
    blind.delete(name);
    if (pauseMs !== undefined) arm(name, pauseMs);
  }

  /**
   * Its watcher ended: it is opened anew as soon as its folder is there. One that ends again and
   * again as soon as it was opened runs its routine ever more seldom.
   */
  function lose(key: string): void {
    const lost = watchers.get(key);
    if (!lost) return;
    const { name } = lost.place;
    const before = performance.now() - lost.openedAt < lookMs ? pauses.get(name) : undefined;
    const pauseMs = before === undefined ? quietMs : Math.min(2 * before, MOST_PAUSE_MS);
    pauses.set(name, pauseMs);
    blind.set(name, pauseMs);
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
