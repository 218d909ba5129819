import type { Exchange } from "./deps.ts";

/**
 * What a message or a press was about when it came first. Brought again after a crash, it is
 * about the same, and not about what has become the newest since.
 */
export function meantAtFirst({ deps, messageId }: Exchange): string | undefined {
  return messageId === undefined ? undefined : deps.settings.get(meantKey(messageId));
}

/** Keeps what a message or a press is about, before anything is done for it. */
export function keepMeant({ deps, messageId }: Exchange, ref: string): void {
  if (messageId !== undefined) deps.settings.set(meantKey(messageId), ref);
}

function meantKey(messageId: string): string {
  return `meant.${messageId}`;
}
