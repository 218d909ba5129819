import { splitMarked } from "../../src/security/untrusted.ts";

/** Whether a message holds text that is marked as written by strangers. */
export function holdsOutside(content: string): boolean {
  return splitMarked(content).some(({ origin }) => origin === "outside");
}
