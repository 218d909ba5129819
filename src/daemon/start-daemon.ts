import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../core/app-error.ts";
import { takeLock } from "../system/locks/locks.ts";
import { hideMemory } from "../system/processes/processes.ts";
import { listOrEmpty } from "../system/read-or-empty.ts";
import type { App, Current } from "./app/app.ts";
import { socketPath, startChannels, tellOwner } from "./channels/channels.ts";
import { followConfig } from "./follow-config.ts";
import { beginHeartbeat, type Launch } from "./heartbeat.ts";
import { assertWhole, keepCopies } from "./keep-copies.ts";
import { type GrowingHome, keepRetention } from "./retention/retention.ts";
import { keepUp } from "./routines/routines.ts";
import { connectParts, type RunningParts, stopParts } from "./running-parts.ts";
import {
  clearLeftOver,
  gatherStartFacts,
  renderStartReport,
  type StartFacts,
} from "./start-report/start-report.ts";
import { rescueState, type WatchedState, watchState } from "./watch-state.ts";

/** A running daemon. */
export interface Daemon {
  readonly socketPath: string;
  /** Tells the owner something nobody asked for, wherever they can be reached. */
  readonly tell: (text: string) => Promise<unknown>;
  /** Stops taking work, lets running work end or ends it, flushes; at most 10 s. */
  stop(): Promise<void>;
}

/**
 * Starts everything that lives long: lock, recovery, channels, routines. What was acquired is
 * released in reverse order, also when a later step fails.
 *
 * @throws AppError ERR_DAEMON_RUNNING when another daemon holds the home folder.
 */
export async function startDaemon(app: App, launch: Launch): Promise<Daemon> {
  await using cleanup = new AsyncDisposableStack();
  const { current, state, clock, log } = app;
  const { core } = current.agent;
  const { home } = current.loaded;
  hideMemory(); // before anything is started that could look
  cleanup.defer(lockHome(home));
  assertWhole(state.store, home);
  const leftOver = await clearLeftOver(current);
  state.stopBlocking();

  const parts = await connectParts(app);
  const { channels, oneHome, failures } = parts;
  const watched = toWatched(app);
  cleanup.defer(() => void rescueState(watched)); // when all is written that will be
  let life: ReturnType<typeof beginHeartbeat> | undefined;
  cleanup.defer(() => life?.end()); // after the stop: one that is cut short is no orderly end
  cleanup.defer(() => parts.oneHome.stop()); // a copy of this home may run them then
  cleanup.defer(() => stopParts(parts, { log, clock }));
  const answering = channels.unanswered(); // before any of it is worked on
  await oneHome.begin(); // first: who asks what became of a run is to be told what is known by now
  await startChannels(channels.all, failures, log);
  await reportStart(
    current,
    parts,
    gatherStartFacts(core, state.store, { ...leftOver, answering }),
  );
  life = beginHeartbeat(launch, { settings: core.settings, clock, log });
  await watchOver(app, watched, parts, cleanup);
  logReady(current);
  void removeLeft(home);
  return toDaemon(current, parts, cleanup.move());
}

/**
 * Folders of processes that were killed. What was cut off in a view may still run there. Behind the start, which waits for nobody;
 * what cannot be removed is tried again with the next view.
 */
async function removeLeft(home: string): Promise<void> {
  const { removeLeftScratch } = await import("../system/processes/scratch.ts");
  for (const place of new Set([home, tmpdir(), "/tmp"])) removeLeftScratch(place);
  const viewsDir = join(home, "views");
  if (listOrEmpty(viewsDir).length === 0) return;
  const { removeOldViews } = await import("../transaction/view/view.ts");
  await removeOldViews(viewsDir);
}

function toWatched({ current, state, clock, log }: App): WatchedState {
  const { store, isInPlace } = state;
  return { home: current.loaded.home, store, isInPlace, texts: current.texts, clock, log };
}

function toGrowing(
  { current, state: { known } }: App,
  { home, store, clock, log }: WatchedState,
  notes: GrowingHome["notes"],
): GrowingHome {
  const { workspaces } = current.agent.core;
  return {
    home,
    store,
    known,
    notes,
    clock,
    log,
    limits: () => current.loaded.config.retention,
    workspaces: () =>
      current.loaded.config.workspaces.flatMap(({ name }) => {
        try {
          return [workspaces.get(name)];
        } catch {
          return []; // said of the workspace
        }
      }),
  };
}

function lockHome(home: string): () => void {
  const lock = takeLock(join(home, "daemon.lock"), "papayu daemon");
  if (lock.ok) return lock.release;
  const pid = lock.holder ? ` (pid ${lock.holder.pid})` : "";
  throw new AppError(
    "ERR_DAEMON_RUNNING",
    `Cannot start: a daemon runs already${pid} in "${home}"; talk to it with papayu chat or end it with papayu stop`,
  );
}

/** What the owner has to know of before this start; kept for a terminal where nobody is reached. */
async function reportStart(
  { agent, texts }: Current,
  { channels }: RunningParts,
  facts: StartFacts,
): Promise<void> {
  const report = renderStartReport(facts, texts().start);
  if (report === undefined || (await tellOwner(agent.core, channels.all, report))) return;
  channels.terminal.keep(agent.core.redact(report));
}

/** Looks after the database, the routines and the configuration until `cleanup` ends. */
async function watchOver(
  app: App,
  watched: WatchedState,
  { channels, scheduler, oneHome, work, passNotes, unwatched }: RunningParts,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const { core } = app.current.agent;
  const tell = async (text: string) => void (await tellOwner(core, channels.all, text));
  const state = watchState(watched, { tell });
  cleanup.defer(() => state.stop());
  const copies = keepCopies(watched, { tell });
  cleanup.defer(() => copies.stop());
  const retention = keepRetention(toGrowing(app, watched, passNotes));
  cleanup.defer(() => retention.stop());
  const isHeld = () => oneHome.heldBy() !== undefined;
  const routines = keepUp(app, scheduler, { troubles: unwatched, isHeld });
  cleanup.defer(routines.stop);
  const following = await followConfig(app, {
    tell,
    adopted: routines.changed,
    settled: (limit) => work.settled(limit),
  });
  cleanup.defer(() => following.stop());
}

function logReady({ agent, loaded }: Current): void {
  agent.core.log("DAEMON_READY", {
    startup_ms: Math.round(performance.now()),
    pid: process.pid,
    version: packageJson.version,
    provider: agent.turns.models.provider.name,
    workspaces: loaded.config.workspaces.length,
  });
}

function toDaemon(
  { loaded, agent }: Current,
  { channels }: RunningParts,
  resources: AsyncDisposableStack,
): Daemon {
  const { core } = agent;
  return {
    socketPath: socketPath(loaded.home),
    tell: (text) => tellOwner(core, channels.all, text),
    async stop() {
      core.log("DAEMON_STOPPING", { pid: process.pid });
      await resources.disposeAsync();
      core.log("DAEMON_STOPPED", { pid: process.pid });
    },
  };
}
