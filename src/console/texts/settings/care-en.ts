import { plural } from "../../../texts/plural.ts";

/** What keeps papa-yu well, in English. */
export const CARE_EN = {
  parts: { doctor: "Doctor" },
  doctor: {
    looking: "Looking at everything…",
    again: "Look again",
    sum: (failed: number, warnings: number) =>
      failed + warnings === 0
        ? "Nothing is wrong."
        : `${plural("en", failed, { one: "failure", many: "failures" })}, ${plural("en", warnings, { one: "warning", many: "warnings" })}`,
    states: { failed: "Failed", warning: "Warning", ok: "All right" },
    mend: "What to do:",
    subjects: {
      configuration: "Configuration",
      home: "Home folder",
      database: "Database",
      copies: "Copies",
      daemon: "Daemon",
      "state.db": "state.db",
      "last end": "Last end",
      log: "Log",
      retention: "Retention",
      provider: "Model",
      research: "Research on the web",
      telegram: "Telegram",
      sandbox: "Sandbox",
      workspace: "Workspace",
      workspaces: "Workspaces",
      skills: "Skills",
      channel: "Channel",
      "web console": "Web console",
      "MCP server": "MCP server",
    },
  },
} as const;
