import { parseUpdates, parseUsername, type Received } from "./parse-update.ts";
import { ALLOWED_UPDATES, type PollState, type Receiver, waitAfter } from "./receiver.ts";

/** Where polling begins, how long one request may be held, and who stores what it brings. */
interface PollOptions {
  readonly from: Position | undefined;
  readonly waitSeconds: number;
  readonly accept: (updates: readonly Received[]) => Promise<void>;
}

/** The newest update received and when. */
interface Position {
  readonly updateId: number;
  readonly receivedAt: number;
}

/** How far polling has come. */
interface Progress {
  readonly position: Position | undefined;
  readonly state: PollState;
  /** The last request was answered. */
  readonly isConnected: boolean;
  /** In a row. */
  readonly failures: number;
}

/** What one request brought. */
interface Batch {
  readonly updates: readonly Received[];
  /** Nothing that can be confirmed, though there was time for it. */
  readonly isQuiet: boolean;
  /** The request was held to its end, so nobody else ended it. */
  readonly wasHeld: boolean;
}

/**
 * Telegram numbers updates from a random number again after a week without any; an offset
 * from before would then skip what is new. The inbox knows what is a repetition.
 */
const OFFSET_LIFETIME_MS = 6 * 24 * 3600_000;

const PAUSE_MS = 1000;

/**
 * Receives updates until the receiver's signal ends it; no failure does. `accept` must have
 * stored the updates when it resolves: only then the next request confirms them.
 */
export async function poll(receiver: Receiver, options: PollOptions): Promise<void> {
  const { signal } = receiver;
  let progress: Progress = {
    position: options.from,
    state: "connecting",
    isConnected: false,
    failures: 0,
  };
  while (!signal.aborted) {
    try {
      if (!progress.isConnected) receiver.connected(await connect(receiver));
      const batch = await fetchBatch(receiver, progress, options.waitSeconds);
      await options.accept(batch.updates);
      progress = advance(progress, batch, receiver);
      await pauseUnlessHeld(batch, receiver);
      progress = settle(progress, batch, receiver);
    } catch (error) {
      if (signal.aborted) return;
      progress = await waitAfterFailure(error, progress, receiver);
    }
  }
}

/** Proves the token and gives polling the precedence over a webhook somebody set. */
async function connect({ api, signal }: Receiver): Promise<string> {
  const username = parseUsername(await api.getMe(signal));
  await api.deleteWebhook({}, signal);
  return username;
}

async function fetchBatch(
  { api, clock, signal }: Receiver,
  { isConnected, position }: Progress,
  waitSeconds: number,
): Promise<Batch> {
  // The first answer shall come at once: it says that polling works.
  const timeout = isConnected ? waitSeconds : 0;
  const request = { ...offset(position, clock.now()), timeout };
  const askedAt = performance.now();
  const updates = parseUpdates(
    await api.getUpdates({ ...request, allowed_updates: ALLOWED_UPDATES }, signal),
  );
  // What has no number cannot be confirmed: it comes again at once.
  const isQuiet = isConnected && newestOf(updates) === undefined;
  return { updates, isQuiet, wasHeld: isQuiet && performance.now() - askedAt > timeout * 500 };
}

function offset(position: Position | undefined, now: number): { offset?: number } {
  const fresh = position !== undefined && now - position.receivedAt < OFFSET_LIFETIME_MS;
  return fresh ? { offset: position.updateId + 1 } : {};
}

function newestOf(updates: readonly Received[]) {
  return updates.findLast((update) => update.kind !== "nameless");
}

/** What was accepted is confirmed by the next request. */
function advance(progress: Progress, { updates }: Batch, { clock, alive }: Receiver): Progress {
  const newest = newestOf(updates);
  const receivedAt = clock.now();
  alive();
  return newest ? { ...progress, position: { updateId: newest.updateId, receivedAt } } : progress;
}

/** A server in between that holds no request must not be asked without a pause. */
async function pauseUnlessHeld({ isQuiet, wasHeld }: Batch, { clock, signal }: Receiver) {
  if (isQuiet && !wasHeld) await clock.sleep(PAUSE_MS, signal);
}

/**
 * Two pollers of one bot end each other's requests. So a conflict is over only when a request
 * was held to its end and nobody had ended it; until then tries grow rarer.
 */
function settle(progress: Progress, { wasHeld }: Batch, { enter }: Receiver): Progress {
  if (progress.state === "conflict" && !wasHeld) return { ...progress, isConnected: true };
  enter("polling");
  return { ...progress, state: "polling", isConnected: true, failures: 0 };
}

async function waitAfterFailure(
  error: unknown,
  progress: Progress,
  receiver: Receiver,
): Promise<Progress> {
  const state = await waitAfter(error, progress, receiver);
  return { ...progress, state, isConnected: false, failures: progress.failures + 1 };
}
