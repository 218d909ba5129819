import type { Operations } from "./operations.ts";

/** Operations whose parts are loaded at the first call, so that a chat starts without them. */
export function deferOperations(load: () => Promise<Operations>): Operations {
  let loading: Promise<Operations> | undefined;
  const loaded = () => (loading ??= load());
  return {
    plan: async (...args) => (await loaded()).plan(...args),
    planAgain: async (...args) => (await loaded()).planAgain(...args),
    preview: async (...args) => (await loaded()).preview(...args),
    apply: async (...args) => (await loaded()).apply(...args),
    undo: async (...args) => (await loaded()).undo(...args),
    research: async (...args) => (await loaded()).research(...args),
    planWithResearch: async (...args) => (await loaded()).planWithResearch(...args),
    stopAutoUse: async (...args) => (await loaded()).stopAutoUse(...args),
    autoUse: async (...args) => (await loaded()).autoUse(...args),
    redo: async (...args) => (await loaded()).redo(...args),
  };
}
