import type { RequestContext } from "../deps.ts";

/**
 * What a message or a press was about when it came first. Brought again after a crash, it is
 * about the same, and not about what has become the newest since.
 */
export function meantAtFirst({ deps, workId, isKept }: RequestContext): string | undefined {
  return isKept ? deps.settings.of("meant.").get(workId) : undefined;
}

/** Keeps what a message or a press is about, before anything is done for it. */
export function keepMeant({ deps, workId, isKept }: RequestContext, ref: string): void {
  if (isKept) deps.settings.of("meant.").set(workId, ref);
}
