import { createConversation } from "../agent/conversation.ts";
import type { DaemonCommands } from "../agent/deps.ts";
import type { Channel, Conversation } from "../channels/channel.ts";
import { errorMessage } from "../core/app-error.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Scheduler } from "../routines/scheduler.ts";
import { readHomeId } from "../store/open/open.ts";
import type { App } from "./app/app.ts";
import { type Channels, createChannels } from "./channels/channels.ts";
import type { ObserverSlot } from "./console/console.ts";
import { createPassNotes, type PassNotes } from "./retention/retention.ts";
import {
  createOneHome,
  createRoutines,
  createTrigger,
  createWork,
  type OneHome,
  openRoutineService,
  type Work,
} from "./routines/routines.ts";
import { describeStatus, renderStatus } from "./status.ts";

/** Who is at the machine. */
const OWNER = "owner";

/** What runs while a daemon does. */
export interface RunningParts {
  readonly work: Work;
  readonly scheduler: Scheduler;
  /** Starts the scheduler, and sees to it that no copy of this home does. */
  readonly oneHome: OneHome;
  readonly conversation: ReturnType<typeof createConversation>;
  readonly channels: Channels;
  readonly passNotes: PassNotes;
  /** Why channels do not run, by their names. */
  readonly failures: Map<string, string>;
  /** Why routines do not watch all files that they are to, by their names. */
  readonly unwatched: Map<string, string>;
}

/** Connects conversation, routines and channels with each other; nothing runs yet. */
export async function connectParts(app: App): Promise<RunningParts> {
  const work = createWork();
  const failures = new Map<string, string>();
  const unwatched = new Map<string, string>();
  const all: Channel[] = []; // routines and the status see those that are made last
  const scheduler = createRoutines(app, all, work);
  const oneHome = createOneHome({
    home: app.current.loaded.home,
    homeId: readHomeId(app.state.store),
    start: (heldUntil) => scheduler.start(heldUntil),
    clock: app.clock,
    log: app.log,
  });
  const passNotes = createPassNotes(app.current.agent.core.settings, app.log);
  const status = () =>
    describeStatus({
      core: app.current.agent.core,
      channels: all,
      scheduler,
      heldBy: oneHome.heldBy,
      failures,
      unwatched,
      passes: () => passNotes.read(),
      isStateInPlace: app.state.isInPlace,
    });
  // As it was when the API began to listen.
  const { enabled, public_url } = app.current.loaded.config.http;
  const publicUrl = enabled ? public_url : "";
  const appPage = (path: string) =>
    publicUrl === "" || failures.has("http") ? undefined : new URL(`/app${path}`, publicUrl).href;
  const isOwner = (userId: string) => userId === OWNER || userId === channels.phoneOwner();
  const own: DaemonCommands = {
    isOwner,
    status: () => renderStatus(status(), app.current.texts().status),
    routines: openRoutineService(app, scheduler),
    webApp({ sessionId, userId }) {
      const url = appPage("");
      if (url === undefined || userId === OWNER) return undefined;
      const isPrivate = sessionId === userId || sessionId.startsWith(`${userId}:`);
      if (!isPrivate) return "in private";
      return { url, isOwner: userId === channels.phoneOwner() };
    },
    async endBrowser(id, userId) {
      const isOwn = isOwner(userId);
      const asked = { act: "revoke", id, ...(!isOwn && { by: userId }) } as const;
      const isEnded = (await channels.door())?.(asked)["ok"] === true;
      return isEnded || isOwn ? isEnded : "not yours";
    },
  };
  const conversation = createConversation(() => ({
    ...app.current.agent,
    commands: { ...app.current.agent.commands, daemon: own },
  }));
  const observerSlot: ObserverSlot = { observer: undefined };
  const conversationOf = (channel: string) => trackWork(conversation, work, channel, observerSlot);
  const { routines } = own;
  const inside = {
    conversationOf,
    observerSlot,
    work,
    status,
    trigger: createTrigger(app, scheduler),
    routines,
    appPage,
  };
  const channels = await createChannels(app, inside, failures);
  all.push(...channels.all);
  return { work, scheduler, oneHome, conversation, channels, passNotes, failures, unwatched };
}

/** A stop waits for what a channel asks for; who looks on from a page hears it. */
function trackWork(
  conversation: Conversation,
  work: Work,
  channel: string,
  observerSlot: ObserverSlot,
): Conversation {
  return {
    message: (speaker, said, emit, origin) => {
      const observed =
        observerSlot.observer?.observe({ channel, speaker, said, origin }, emit) ?? emit;
      return work.track(() => conversation.message(speaker, said, observed, origin), channel);
    },
    press: (speaker, press, emit, origin) => {
      const observed =
        observerSlot.observer?.observe({ channel, speaker, said: undefined, origin }, emit) ?? emit;
      return work.track(() => conversation.press(speaker, press, observed, origin), channel);
    },
    workState: conversation.workState,
    isBusy: conversation.isBusy,
    cancel: conversation.cancel,
  };
}

/** How long running work may go on by itself once a stop was asked for, and may then take to end. */
const PATIENCE_MS = 3_000;
const END_MS = 7_000;
/** How long what waits to be sent may take; what is not sent by then is sent by the next start. */
const FLUSH_MS = 2_000;
/** Whatever hangs then is left to recovery at the next start. */
const CUT_MS = 9_500;

/**
 * Takes nothing new; lets what runs end by itself for a while, then ends it, so that a
 * transaction goes back; tells everybody how it ended; and is done in time, whatever hangs.
 */
export async function stopParts(
  { work, scheduler, conversation, channels }: RunningParts,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const limit = AbortSignal.timeout(END_MS);
  const flushed = new AbortController();
  const inOrder = async () => {
    const remotes = Promise.all(channels.remote.map((channel) => channel.stop(flushed.signal)));
    await Promise.all([work.settled(patience), scheduler.stop(patience)]);
    await Promise.all([work.settled(limit), conversation.close(limit)]);
    await Promise.race([remotes, clock.sleep(FLUSH_MS)]);
    flushed.abort();
    await remotes;
    await channels.terminal.stop(limit); // last: terminals are told how their work ended
  };
  const end = inOrder().catch((error: unknown) => {
    log("STOP_FAILED", { error: errorMessage(error) });
  });
  await Promise.race([end, clock.sleep(CUT_MS)]);
}
