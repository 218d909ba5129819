import { effect, type Signal } from "@preact/signals";
import type { Act, Client, LinkState, Look, Pressed, WorkReport } from "../client/client.ts";
import { RefusedError } from "../client/client.ts";

/** What became of a press, as the page shows it. */
export interface PressState {
  /**
   * `unknown`: the connection broke, and it is asked what came of it. Then it is one of the others,
   * `lost` where no change came of it, or `open` where nobody can know. `back`: a yes to what is
   * not the whole any more was asked back.
   */
  readonly phase: "sent" | "taken" | "ended" | "failed" | "unknown" | "lost" | "open" | "back";
  readonly label: string;
  /** What was said until now. */
  readonly text: string;
  readonly progress: string;
  /** The newest lines of a check, while it runs. */
  readonly printed?: { readonly text: string; readonly looks: readonly Look[] };
  /** A question that took the place of the one that was answered. */
  readonly asked?: string;
}

/** Whether it is not known yet what a press came to. */
export function isUnderWay(state: PressState | undefined): boolean {
  return state !== undefined && ["sent", "taken", "unknown"].includes(state.phase);
}

/** What a press needs of the page. */
export interface PressWorld {
  readonly client: Pick<Client, "press" | "work">;
  readonly link: Signal<LinkState>;
  readonly pause: (ms: number) => Promise<void>;
  readonly set: (change: Partial<PressState>) => void;
  readonly text: () => string;
  readonly onAsked: (asked: string) => void;
}

/** How long until it is asked again what became of a press. */
const LOOK_AGAIN_MS = 1000;

/**
 * Presses, and tells how far that is until it is known what it came to: where the connection broke,
 * papa-yu is asked as soon as it is there again.
 */
export async function pressOnce(
  world: PressWorld,
  { act, ref, revision, words, conversation }: Act,
  digest: string | undefined,
  key: string,
): Promise<void> {
  const { client, set } = world;
  const more = {
    ...(digest && { digest }),
    ...(revision && { revision }),
    ...(words && { words }),
    ...(conversation && { conversation }),
  };
  const pressed: Pressed = { act, ref, key, ...more };
  let failed = false;
  let isBack = false;
  try {
    await client.press(pressed, {
      onTaken: () => set({ phase: "taken" }),
      onText: (text) => set({ text: world.text() + text }),
      onProgress: (progress) => set({ progress }),
      onPrinted: (printed, looks) => set({ printed: { text: printed, looks } }),
      onAsked: world.onAsked,
      onOffered: (acts) => (isBack ||= act === "approve" && acts.includes("approve_whole")),
      onNotDone() {
        failed = true;
        set({ phase: "failed", progress: "" });
      },
      onFailed(text) {
        failed = true;
        set({ phase: "failed", text });
      },
    });
    if (!failed) set({ phase: isBack ? "back" : "ended", progress: "" });
  } catch (error) {
    if (error instanceof RefusedError) set({ phase: "failed", text: error.message });
    else if (!failed) await settle(world, { ref, key });
  }
}

/** Nobody knows whether it counted, until papa-yu says what became of it. */
async function settle(
  { client, link, pause, set, onAsked }: PressWorld,
  { ref, key }: { readonly ref: string; readonly key: string },
): Promise<void> {
  set({ phase: "unknown", progress: "" });
  for (;;) {
    await pause(LOOK_AGAIN_MS);
    await untilLive(link);
    try {
      const report = await client.work(key);
      if (report.state === "running") continue;
      // What was asked of it is the question that the answer would have ended with.
      const isNew = report.asked !== undefined && report.asked !== ref;
      if (isNew) onAsked(report.asked);
      return set(toEnd(report, isNew));
    } catch (error) {
      if (error instanceof RefusedError && error.status < 500) return;
    }
  }
}

function toEnd(
  { state, mayHaveRun, failures }: WorkReport,
  hasAsked: boolean,
): Partial<PressState> {
  if (mayHaveRun) return { phase: "open" };
  if (state !== "ended") return { phase: hasAsked ? "ended" : "lost" };
  if (failures.length > 0) return { phase: "failed", text: failures.join("\n") };
  return { phase: "ended" };
}

function untilLive(link: Signal<LinkState>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = effect(() => {
    if (link.value === "live") resolve();
  });
  return promise.finally(stop);
}
