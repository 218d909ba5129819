import { plural } from "../../../texts/plural.ts";

/** What keeps papa-yu well, in English. */
export const CARE_EN = {
  parts: {
    doctor: "Doctor",
    log: "Log",
    people: "People",
    browsers: "Browsers",
    spending: "Spending",
  },
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
  really: (label: string) => `${label}: press once more`,
  people: {
    waiting: "Want to speak to the bot",
    code: "The code that somebody told you; the bot gave it to them",
    letIn: "Let in",
    isIn: "They may speak to the bot now.",
    refuse: "Refuse",
    paired: "Let in by a code",
    remove: "Remove",
    listed: "On the list of the configuration (telegram.allowed_user_ids)",
    owner: "Owner",
    nobody: "Nobody.",
  },
  browsers: {
    here: "This one",
    end: "End",
    signOut: "Sign out",
    signedIn: (ago: string, until: string) => `signed in ${ago}, until ${until} at most`,
  },
  spending: {
    days: (day: string, since: string) => `Today is ${day} (UTC); the month is since ${since}.`,
    who: "Who",
    today: "Today",
    cap: "Cap of a day",
    month: "This month",
    all: "All together",
    others: "Chats, plans and applies",
    tokens: "tokens",
    cost: "cost",
    noCap: "none",
    of: (percent: number, most: string, unit: string) => `${percent} % of ${most} ${unit}`,
  },
} as const;
