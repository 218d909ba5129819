import type { Texts } from "../texts/texts.ts";

/** A routine to begin with, to be switched on once its owner has looked at it; `Texts` has its task. */
interface Starter {
  readonly schedule: string;
  readonly mode: "ask" | "plan";
  readonly needsWorkspace: boolean;
}

/** What `papayu routine add --starter NAME` offers. */
export const STARTERS: Readonly<Record<keyof Texts["starters"], Starter>> = {
  morning: {
    schedule: "0 8 * * 1-5",
    mode: "ask",
    needsWorkspace: true,
  },
  tidy: {
    schedule: "0 22 * * *",
    mode: "plan",
    needsWorkspace: true,
  },
  report: {
    schedule: "0 9 * * 1",
    mode: "ask",
    needsWorkspace: false,
  },
  dependencies: {
    schedule: "0 10 * * 1",
    mode: "ask",
    needsWorkspace: true,
  },
};

type StarterName = keyof typeof STARTERS;

/** The starter of that name, if there is one. */
export function toStarterName(name: string): StarterName | undefined {
  const isName = (word: string): word is StarterName => Object.hasOwn(STARTERS, word);
  return isName(name) ? name : undefined;
}
