import { plural } from "./plural.ts";

/** What is said and planned without a model, and tasks to begin with, in English. */
export const OFFLINE_EN = {
  offline: {
    /** Every chat is answered so. */
    help: `No model is configured, so I cannot chat. What works without one:

- \`plan: …\` – look at the workspace and propose what a newcomer would miss
- \`ok\` – show the plan's changes and apply them after your approval
- \`undo\`, \`redo\` – take back the last apply, or bring it back
- \`/help\` – every command

To get a model, fill in \`[providers.openai]\` in \`config.toml\` (base_url, api_key, model; any OpenAI-compatible server will do) and set \`default.provider = "openai"\`. \`papayu doctor\` says what is still missing.`,
    plainKind: "plain",
    diagnosis: (name: string, kind: string, files: number, found: string) =>
      `"${name}" is a ${kind} project of ${plural("en", files, { one: "file", many: "files" })}. ${found}`,
    nothing: "The built-in rules find nothing to add or fix.",
    proposed: (count: number) =>
      `The built-in rules (no model was asked) propose ${plural("en", count, { one: "change", many: "changes" })}.`,
    later: (count: number) =>
      `${plural("en", count, { one: "further proposal is", many: "further proposals are" })} left for the next plan: one takes no more.`,
    unseen: (files: number) =>
      files === 0
        ? "Not every file was looked at: plan again once this is applied, or for a folder of its own."
        : `${plural("en", files, { one: "file was", many: "files were" })} not looked at: plan again for a folder of its own.`,
    plan: "Plan",
    create: "Create",
    patch: "Patch",
    check: "How to check",
    byReading: "read the new files; the project has no checks to run",
    /** Why a file is proposed. */
    reasons: {
      license: "the MIT licence",
      envExample: "the names (never the values) of the settings that .env holds",
      gitignore: "keeps generated files and secrets out of git",
      offByOne: (lines: string, read: string) =>
        `the loop in line ${lines} runs once too often and reads ${read} past the end`,
      editorconfig: "tells every editor the indentation that the sources already have",
      readme: "what the project is, its commands and its layout",
      firstTest: (name: string, path: string) => `a first test: it imports ${name} from ${path}`,
    },
  },
  /** Tasks of `routine add --starter`. */
  starters: {
    morning:
      "Look at which files of the workspace changed since yesterday and what they say now. Give me at most five lines: what changed, what is left open, what to do first today. Change nothing.",
    tidy: "Tidy the notes of today: fix headings and lists, join notes on the same subject, put dates into the form 2026-05-17. Keep every fact and every sentence that is not a repetition.",
    report:
      "Run `papayu report --last 200` with run_command and tell me in five lines how the applies of the last week went: how many, how many failed and why, whether the fallback to protocol 1 was needed. If you may not run it, say so in one line.",
    dependencies:
      "Find out which package manager the workspace uses and run its command that lists outdated packages (such as `npm outdated`, `bun outdated`, `cargo update --dry-run`) with run_command. Name the updates that fix a security problem or are a new major version. Install nothing. If you may not run it, say which command to allow.",
  },
} as const;
