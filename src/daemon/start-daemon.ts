import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError } from "../core/app-error.ts";
import { takeLock } from "../system/locks/locks.ts";
import { hideMemory } from "../system/processes/processes.ts";
import type { App } from "./app/app.ts";
import { socketPath, startChannels, tellOwner } from "./channels.ts";
import { followConfig } from "./follow-config.ts";
import { forgetExpired } from "./forget-expired.ts";
import { assertWhole, keepCopies } from "./keep-copies.ts";
import { beginLife, type Launch } from "./life.ts";
import { keepUp } from "./routines/routines.ts";
import { connectParts, type RunningParts, stopParts } from "./running-parts.ts";
import {
  clearLeftOver,
  findUnanswered,
  gatherStartFacts,
  renderStartReport,
  type StartFacts,
} from "./start-report/start-report.ts";
import { rescueState, watchState } from "./watch-state.ts";

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
  const { settings } = app.agent.core;
  hideMemory(); // before anything is started that could look
  cleanup.defer(lockHome(app.loaded.home));
  assertWhole(app);
  const leftOver = clearLeftOver(app);
  app.stopBlocking();

  const parts = await connectParts(app);
  const { channels, scheduler, failures } = parts;
  cleanup.defer(() => void rescueState(app)); // when all is written that will be
  let life: ReturnType<typeof beginLife> | undefined;
  cleanup.defer(() => life?.end()); // after the stop: one that is cut short is no orderly end
  cleanup.defer(() => stopParts(app, parts));
  const hasTelegram = channels.all.some(({ name }) => name === "telegram");
  const answering = hasTelegram ? findUnanswered(app) : [];
  scheduler.start(); // first: who asks what became of a run is to be told what is known by now
  await startChannels(app, channels.all, failures);
  await reportStart(app, parts, gatherStartFacts(app, leftOver, answering));
  life = beginLife(launch, { settings, clock: app.clock, log: app.log });
  await watchOver(app, parts, cleanup);
  logReady(app);
  return toDaemon(app, parts, cleanup.move());
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
async function reportStart(app: App, { channels }: RunningParts, facts: StartFacts): Promise<void> {
  const report = renderStartReport(facts, app.texts().start);
  if (report === undefined || (await tellOwner(app, channels.all, report))) return;
  channels.terminal.keep(app.redactor.redact(report));
}

/** Looks after the database, the routines and the configuration until `cleanup` ends. */
async function watchOver(
  app: App,
  { channels, scheduler, work }: RunningParts,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  const tell = async (text: string) => void (await tellOwner(app, channels.all, text));
  const state = watchState(app, { tell });
  cleanup.defer(() => state.stop());
  const copies = keepCopies(app, { tell });
  cleanup.defer(() => copies.stop());
  const expired = forgetExpired(app);
  cleanup.defer(() => expired.stop());
  const routines = keepUp(app, scheduler);
  cleanup.defer(routines.stop);
  const following = await followConfig(app, {
    tell,
    adopted: routines.changed,
    settled: (limit) => work.settled(limit),
  });
  cleanup.defer(() => following.stop());
}

function logReady({ log, agent, loaded }: App): void {
  log("DAEMON_READY", {
    startup_ms: Math.round(performance.now()),
    pid: process.pid,
    version: packageJson.version,
    provider: agent.turns.models.provider.name,
    workspaces: loaded.config.workspaces.length,
  });
}

function toDaemon(app: App, { channels }: RunningParts, resources: AsyncDisposableStack): Daemon {
  return {
    socketPath: socketPath(app.loaded.home),
    tell: (text) => tellOwner(app, channels.all, text),
    async stop() {
      app.log("DAEMON_STOPPING", { pid: process.pid });
      await resources.disposeAsync();
      app.log("DAEMON_STOPPED", { pid: process.pid });
    },
  };
}
