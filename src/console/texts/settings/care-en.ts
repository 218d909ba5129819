import { plural } from "../../../texts/plural.ts";

/** What keeps papa-yu well, in English. */
export const CARE_EN = {
  parts: { doctor: "Doctor", log: "Log" },
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
  log: {
    level: "Level",
    levels: { info: "Everything", warning: "Warning", error: "Error" },
    search: "Search",
    older: "Older lines",
    none: "Nothing is in it.",
    noneHere: "Not found in what was looked through; older lines may have it.",
    unseen: (count: number) =>
      `${plural("en", count, { one: "new line", many: "new lines" })}: to the end`,
    cut: (count: number) =>
      `… and ${plural("en", count, { one: "character", many: "characters" })}`,
  },
} as const;
