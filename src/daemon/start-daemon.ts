import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { createConversation } from "../agent/conversation.ts";
import type { Channel, Conversation } from "../channels/channel.ts";
import { createSocketChannel } from "../channels/socket/socket-channel.ts";
import { AppError, errorMessage } from "../core/app-error.ts";
import type { Scheduler } from "../routines/scheduler.ts";
import { takeLock } from "../system/locks/locks.ts";
import { hideMemory } from "../system/processes/processes.ts";
import type { App } from "./app/app.ts";
import { createHttp } from "./create-http.ts";
import { createTelegram } from "./create-telegram.ts";
import { followConfig } from "./follow-config.ts";
import { forgetExpired } from "./forget-expired.ts";
import { assertWhole, keepCopies } from "./keep-copies.ts";
import { beginLife, type Launch } from "./life.ts";
import {
  createRoutineService,
  createRoutines,
  createTrigger,
  createWork,
  keepUp,
  type Work,
} from "./routines/routines.ts";
import {
  clearLeftOver,
  findUnanswered,
  gatherStartFacts,
  renderStartReport,
} from "./start-report/start-report.ts";
import { describeStatus, renderStatus } from "./status.ts";
import { rescueState, watchState } from "./watch-state.ts";

/** A running daemon. */
export interface Daemon {
  readonly socketPath: string;
  /** Tells the owner something nobody asked for, wherever they can be reached. */
  readonly tell: (text: string) => Promise<unknown>;
  /** Stops taking work, lets running work end or ends it, flushes; at most 10 s. */
  stop(): Promise<void>;
}

/** How long running work may go on by itself once a stop was asked for, and may then take to end. */
const PATIENCE_MS = 3_000;
const END_MS = 7_000;
/** How long what waits to be sent may take; what is not sent by then is sent by the next start. */
const FLUSH_MS = 2_000;
/** Whatever hangs then is left to recovery at the next start. */
const CUT_MS = 9_500;

/**
 * Starts everything that lives long: lock, recovery, channels, routines. What was acquired is
 * released in reverse order, also when a later step fails.
 *
 * @throws AppError ERR_DAEMON_RUNNING when another daemon holds the home folder.
 */
export async function startDaemon(app: App, launch: Launch): Promise<Daemon> {
  await using cleanup = new AsyncDisposableStack();
  const { home, config } = app.loaded;
  hideMemory(); // before anything is started that could look
  cleanup.defer(lockHome(home));
  assertWhole(app);
  const leftOver = clearLeftOver(app);
  app.stopBlocking();

  const work = createWork();
  const channels: Channel[] = [];
  const scheduler = createRoutines(app, channels, work);
  const failures = new Map<string, string>();
  const status = () => describeStatus(app, channels, scheduler, failures);
  const daemonStatus = () => renderStatus(status(), app.texts().status);
  const routineService = createRoutineService(app, scheduler);
  const conversation = createConversation(() => ({
    ...app.agent,
    commands: { ...app.agent.commands, daemonStatus, routines: routineService },
  }));
  const tracked: Conversation = {
    message: (...message) => work.track(conversation.message(...message)),
    press: (...press) => work.track(conversation.press(...press)),
    workState: conversation.workState,
    cancel: conversation.cancel,
  };
  const socketPath = join(home, "daemon.sock");
  const socket = {
    path: socketPath,
    conversation: tracked,
    describeStatus: status,
    texts: app.texts,
    log: app.log,
  };
  const terminal = createSocketChannel(socket);
  const telegram = await createTelegram(app, tracked);
  const trigger = createTrigger(app, scheduler);
  const web = { conversation: tracked, status, trigger, receive: telegram?.receive };
  const http = await createHttp(app, web, failures);
  const remote = [telegram, http].filter((channel) => channel !== undefined);
  channels.push(terminal, ...remote);

  cleanup.defer(() => void rescueState(app)); // when all is written that will be
  let life: ReturnType<typeof beginLife> | undefined;
  cleanup.defer(() => life?.end()); // after the stop: one that is cut short is no orderly end
  const stop = () => stopParts(app, { work, scheduler, conversation, remote, terminal });
  cleanup.defer(stop);
  const answering = channels.some(({ name }) => name === "telegram") ? findUnanswered(app) : [];
  scheduler.start(); // first: who asks what became of a run is to be told what is known by now
  for (const channel of channels) await startChannel(app, channel, failures);
  const facts = gatherStartFacts(app, leftOver, answering);
  const report = renderStartReport(facts, app.texts().start);
  if (report !== undefined && !(await tell(app, channels, report)))
    terminal.keep(app.redactor.redact(report));
  life = beginLife(launch, { settings: app.agent.core.settings, clock: app.clock, log: app.log });
  const tellOwner = (text: string) => tell(app, channels, text);
  const state = watchState(app, { tell: tellOwner });
  cleanup.defer(() => state.stop());
  const copies = keepCopies(app, { tell: tellOwner });
  cleanup.defer(() => copies.stop());
  const expired = forgetExpired(app);
  cleanup.defer(() => expired.stop());
  const routines = keepUp(app, scheduler);
  cleanup.defer(routines.stop);
  const following = await followConfig(app, {
    async tell(text) {
      await tell(app, channels, text);
    },
    adopted: routines.changed,
    settled: (limit) => work.settled(limit),
  });
  cleanup.defer(() => following.stop());
  app.log("DAEMON_READY", {
    startup_ms: Math.round(performance.now()),
    pid: process.pid,
    version: packageJson.version,
    provider: app.agent.turns.models.provider.name,
    workspaces: config.workspaces.length,
  });
  const resources = cleanup.move();
  return {
    socketPath,
    tell: (text) => tell(app, channels, text),
    async stop() {
      app.log("DAEMON_STOPPING", { pid: process.pid });
      await resources.disposeAsync();
      app.log("DAEMON_STOPPED", { pid: process.pid });
    },
  };
}

/**
 * Takes nothing new; lets what runs end by itself for a while, then ends it, so that a
 * transaction goes back; tells everybody how it ended; and is done in time, whatever hangs.
 */
async function stopParts(
  { log, clock }: App,
  parts: {
    readonly work: Work;
    readonly scheduler: Scheduler;
    readonly conversation: { close(patience: AbortSignal): Promise<void> };
    readonly remote: readonly Channel[];
    readonly terminal: Channel;
  },
): Promise<void> {
  const { work, scheduler, conversation, remote, terminal } = parts;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const limit = AbortSignal.timeout(END_MS);
  const flushed = new AbortController();
  const inOrder = async () => {
    const remotes = Promise.all(remote.map((channel) => channel.stop(flushed.signal)));
    await Promise.all([work.settled(patience), scheduler.stop(patience)]);
    await Promise.all([work.settled(limit), conversation.close(limit)]);
    await Promise.race([remotes, clock.sleep(FLUSH_MS)]);
    flushed.abort();
    await remotes;
    await terminal.stop(limit); // last: terminals hear how their work ended
  };
  const end = inOrder().catch((error: unknown) => {
    log("STOP_FAILED", { error: errorMessage(error) });
  });
  await Promise.race([end, clock.sleep(CUT_MS)]);
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

/** Tells the owner something nobody asked for, wherever they can be reached; false: nowhere. */
async function tell(
  { log, redactor }: App,
  channels: readonly Channel[],
  text: string,
): Promise<boolean> {
  log("NOTICE", { text });
  let isTold = false;
  for (const channel of channels) {
    try {
      const delivery = await channel.deliver(redactor.redact(text));
      isTold ||= delivery !== "nobody";
      log("NOTICE_SENT", { channel: channel.name, delivery });
    } catch (error) {
      log("NOTICE_FAILED", { channel: channel.name, error: errorMessage(error) });
    }
  }
  return isTold;
}

/** A failing channel does not take the others down. */
async function startChannel(
  { log }: App,
  channel: Channel,
  failures: Map<string, string>,
): Promise<void> {
  try {
    await channel.start();
  } catch (error) {
    failures.set(channel.name, errorMessage(error));
    log("CHANNEL_FAILED", { channel: channel.name, error: errorMessage(error) });
  }
}
