import type { Operations } from "./operations.ts";

/**
 * Operations whose parts are loaded at the first call, so that a chat starts without them. Before
 * and after each, `ready` is waited for.
 */
export function deferOperations(
  load: () => Promise<Operations>,
  ready: () => Promise<void> | undefined,
): Operations {
  let loading: Promise<Operations> | undefined;
  async function use<T>(work: (operations: Operations) => Promise<T>): Promise<T> {
    const operations = await (loading ??= load());
    await ready();
    const result = await work(operations);
    await ready();
    return result;
  }
  return {
    plan: (...args) => use((operations) => operations.plan(...args)),
    planAgain: (...args) => use((operations) => operations.planAgain(...args)),
    preview: (...args) => use((operations) => operations.preview(...args)),
    apply: (...args) => use((operations) => operations.apply(...args)),
    undo: (...args) => use((operations) => operations.undo(...args)),
    research: (...args) => use((operations) => operations.research(...args)),
    planWithResearch: (...args) => use((operations) => operations.planWithResearch(...args)),
    stopAutoUse: (...args) => use((operations) => operations.stopAutoUse(...args)),
    autoUse: (...args) => use((operations) => operations.autoUse(...args)),
    redo: (...args) => use((operations) => operations.redo(...args)),
  };
}
