import type { ToolParameters } from "../tool.ts";

/** How a server is reached: started as a child, or spoken to where it runs already. */
export type Launch =
  | {
      readonly kind: "stdio";
      readonly argv: readonly string[];
      readonly cwd: string;
      /** All the child gets to see. */
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** What a server lists. */
export interface ListedTools {
  readonly tools: readonly ListedTool[];
  /** How many it lists besides, which cannot be used: docs/tools.md says which. */
  readonly leftOut: number;
}

/** One tool as its server lists it, made harmless. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters & Readonly<Record<string, unknown>>;
}
