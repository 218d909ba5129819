import type { ToolArguments } from "../../../src/tools/tool.ts";

/** What a payload may point at. */
export interface Targets {
  /** Holds the workspace "safe" and, next to it, "safevil", "outside" and "home". */
  readonly dir: string;
  /** The attacker's server; whatever arrives there is harm. */
  readonly sinkUrl: string;
  /** The daemon's key for its model. */
  readonly secret: string;
}

/** How a call must end: a person is asked, it is refused for good, or it runs and does no harm. */
export type Outcome = "asked" | "refused" | "harmless";

/** A call that a model was talked into. */
export interface CallPayload {
  readonly theme: string;
  readonly name: string;
  readonly tool: string;
  readonly args: (targets: Targets) => ToolArguments;
  readonly outcome: Outcome;
}

/** One row: the payload's name, the tool, its arguments, and how it must end. */
export type CallRow = readonly [
  name: string,
  tool: string,
  args: ToolArguments | ((targets: Targets) => ToolArguments),
  outcome: Outcome,
];

/** Rows of one theme. */
export function calls(theme: string, ...rows: readonly CallRow[]): readonly CallPayload[] {
  return rows.map(([name, tool, args, outcome]) => {
    return { theme, name, tool, outcome, args: typeof args === "function" ? args : () => args };
  });
}
