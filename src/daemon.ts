import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { createConversation } from "./agent/conversation.ts";
import type { App } from "./app.ts";
import type { Channel, Conversation } from "./channels/channel.ts";
import { createSocketChannel } from "./channels/socket/socket-channel.ts";
import { AppError, errorMessage } from "./core/app-error.ts";
import { createRoutineDeps } from "./daemon-routines.ts";
import { toRoutine } from "./routines/routine.ts";
import { runRoutine } from "./routines/run.ts";
import { createScheduler, type Scheduler } from "./routines/scheduler.ts";
import { createRoutineRuns } from "./store/routine-runs.ts";
import { takeLock } from "./system/kernel-lock.ts";
import { recover } from "./transaction/recover.ts";

/** A running daemon. */
export interface Daemon {
  readonly socketPath: string;
  /** Stops taking work, lets running work end, flushes; at most 10 s. */
  stop(): Promise<void>;
}

/** A stop that takes longer is cut short; recovery at the next start does the rest. */
const STOP_MS = 9_000;

/**
 * Starts everything that lives long: lock, recovery, channels, routines. What was acquired is
 * released in reverse order, also when a later step fails.
 *
 * @throws AppError ERR_DAEMON_RUNNING when another daemon holds the home folder.
 */
export async function startDaemon(app: App): Promise<Daemon> {
  await using cleanup = new AsyncDisposableStack();
  const { home, config } = app.loaded;
  cleanup.defer(lockHome(home));
  recoverWorkspaces(app);

  const channels: Channel[] = [];
  const status = () => describeStatus(app, channels, scheduler);
  const describe = {
    status: () => renderStatus(status()),
    routines: () => renderRoutines(scheduler),
  };
  const conversation = createConversation({ ...app.agent, describe });
  const scheduler = createRoutines(app, channels);
  const socketPath = join(home, "daemon.sock");
  const socket = { path: socketPath, conversation, describeStatus: status, log: app.log };
  channels.push(createSocketChannel(socket), ...(await createTelegram(app, conversation)));

  const stopping = () => AbortSignal.timeout(STOP_MS);
  for (const channel of channels) {
    await startChannel(app, channel);
    cleanup.defer(() => channel.stop(stopping()));
  }
  scheduler.start();
  cleanup.defer(() => scheduler.stop(stopping()));
  app.log("DAEMON_READY", {
    startup_ms: Math.round(performance.now()),
    pid: process.pid,
    version: packageJson.version,
    provider: app.agent.provider.name,
    workspaces: config.workspaces.length,
  });
  const resources = cleanup.move();
  return {
    socketPath,
    async stop() {
      await resources.disposeAsync();
      app.log("DAEMON_STOPPED", { pid: process.pid });
    },
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

/** One broken workspace must not keep the daemon from starting. */
function recoverWorkspaces(app: App): void {
  for (const { name } of app.loaded.config.workspaces) {
    try {
      recover(app.agent.workspaces.get(name), { log: app.log });
    } catch (error) {
      app.log("RECOVERY_FAILED", { workspace: name, error: errorMessage(error) });
    }
  }
}

/** A failing channel does not take the others down. */
async function startChannel(app: App, channel: Channel): Promise<void> {
  try {
    await channel.start();
  } catch (error) {
    app.log("CHANNEL_FAILED", { channel: channel.name, error: errorMessage(error) });
  }
}

async function createTelegram(app: App, conversation: Conversation): Promise<readonly Channel[]> {
  const { telegram } = app.loaded.config;
  const token = telegramToken(app);
  if (token === undefined) return [];
  const { createTelegramChannel } = await import("./channels/telegram/telegram-channel.ts");
  const { store, clock, log, redactor } = app;
  return [
    createTelegramChannel({
      token,
      apiRoot: telegram.api_root,
      allowedUserIds: telegram.allowed_user_ids,
      conversation,
      store,
      clock,
      log,
      redact: redactor.redact,
    }),
  ];
}

/** No token is not a fault: Telegram is simply not used. */
function telegramToken(app: App): string | undefined {
  try {
    return app.secret(app.loaded.config.telegram.bot_token);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    app.log("TELEGRAM_OFF", { reason: error.message });
    return undefined;
  }
}

function createRoutines(app: App, channels: readonly Channel[]): Scheduler {
  const deps = createRoutineDeps(app);
  return createScheduler({
    routines: app.loaded.config.routines.jobs.map(toRoutine),
    runs: createRoutineRuns(app.store),
    run: (routine, _dueAt, signal) => runRoutine(routine, deps, signal),
    async deliver(name, text) {
      const channel = channels.find((candidate) => candidate.name === name);
      return channel ? channel.deliver(text) : "nobody";
    },
    clock: app.clock,
    log: app.log,
  });
}

function describeStatus(
  app: App,
  channels: readonly Channel[],
  scheduler: Scheduler,
): Readonly<Record<string, unknown>> {
  return {
    running: true,
    pid: process.pid,
    version: packageJson.version,
    uptime_s: Math.round(process.uptime()),
    rss_bytes: process.memoryUsage.rss(),
    channels: Object.fromEntries(channels.map((channel) => [channel.name, channel.status()])),
    sessions: app.agent.sessions.count(),
    routines: scheduler.status(),
    pending_approvals: app.agent.approvals.countWaiting(app.clock.now()),
  };
}

function renderStatus(status: Readonly<Record<string, unknown>>): string {
  return `papa-yu ${String(status["version"])}, up ${String(status["uptime_s"])} s, ${String(status["pending_approvals"])} approvals waiting`;
}

function renderRoutines(scheduler: Scheduler): string {
  const lines = scheduler
    .status()
    .map(({ name, next_at, state }) => `${name}: ${state}, next ${next_at ?? "never"}`);
  return lines.length > 0 ? lines.join("\n") : "No routines.";
}
