import { type ReadonlySignal, signal } from "@preact/signals";

/** A part of the page whose code comes when it is needed. */
export interface Lazy<Parts> {
  readonly state: ReadonlySignal<LazyState<Parts>>;
  /** Has it loaded, once; what failed is tried again. */
  load(): Promise<void>;
}

/** How far it is. */
export type LazyState<Parts> =
  | { readonly kind: "waiting" }
  /** Nobody answered, or papa-yu is another by now and does not have it any more. */
  | { readonly kind: "failed" }
  | { readonly kind: "ready"; readonly parts: Parts };

/** One that was not asked for yet. */
export function createLazy<Parts>(load: () => Promise<Parts>): Lazy<Parts> {
  const state = signal<LazyState<Parts>>({ kind: "waiting" });
  let loading: Promise<void> | undefined;

  async function attempt(): Promise<void> {
    state.value = { kind: "waiting" };
    try {
      state.value = { kind: "ready", parts: await load() };
    } catch {
      state.value = { kind: "failed" };
    }
    loading = undefined;
  }

  return {
    state,
    async load() {
      if (state.peek().kind === "ready") return;
      loading ??= attempt();
      await loading;
    },
  };
}
