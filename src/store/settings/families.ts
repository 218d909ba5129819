/**
 * Where a key or its value names the session it is of: nowhere, as all of the key behind the
 * prefix, quoted at its beginning, or as `sessionId` of the value. What names one moves with its
 * chat.
 */
export type SessionPlace = "none" | "key" | "quoted" | "value";

/** What is known of the keys that begin alike. */
export interface Family {
  readonly session: SessionPlace;
}

/** All keys of the table `settings`, by how they begin. */
export const FAMILIES = {
  "daemon.life": { session: "none" },
  "home.identity": { session: "none" },
  /** Who may undo a transaction by the button below it. */
  "undo.": { session: "none" },
  /** Which plan a transaction came from whose check failed. */
  "failed.": { session: "none" },
  /** What a message or a press was about when it came first. */
  "meant.": { session: "none" },
  /** The change that a work makes. */
  "change.": { session: "none" },
  /** The calls of a turn that made one. */
  "made.": { session: "none" },
  /** Changes of which nobody was told how they ended. */
  "untold.": { session: "quoted" },
  /** The research that /use means. */
  "research.": { session: "key" },
  /** The plan that the next message changes. */
  "wish.": { session: "key" },
  /** A plan with buttons of its own. */
  "beside.": { session: "value" },
  /** Approvals that a command asked for. */
  "command.": { session: "none" },
  /** When a stranger's words were read. */
  "tainted:": { session: "key" },
  /** When a workspace's words were read. */
  "read:": { session: "key" },
  /** Requests that a person said yes to. */
  "allowed:": { session: "key" },
  /** Parts of a request that a server refuses. */
  "capabilities.": { session: "none" },
  /** What an MCP server listed. */
  "mcp.tools.": { session: "none" },
  /** Whether research may go into a plan of a folder unasked. */
  "online_research.auto_use:": { session: "none" },
  /** What a routine's workspace was when it last ran well. */
  "routine.fingerprint.": { session: "none" },
} as const satisfies Readonly<Record<string, Family>>;
