import type { AgentCore, RequestContext } from "../deps.ts";

/**
 * What a message or a press was about when it came first. Brought again after a crash, it is
 * about the same, and not about what has become the newest since.
 */
export function recordedIntent(
  { workId, isKept }: RequestContext,
  { settings }: AgentCore,
): string | undefined {
  return isKept ? settings.of("meant.").get(workId) : undefined;
}

/** Keeps what a message or a press is about, before anything is done for it. */
export function recordIntent(
  { workId, isKept }: RequestContext,
  { settings }: AgentCore,
  ref: string,
): void {
  if (isKept) settings.of("meant.").set(workId, ref);
}
