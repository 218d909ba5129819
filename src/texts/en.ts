import type { ErrorCode } from "../core/error-codes.ts";
import { plural } from "./plural.ts";

/**
 * Everything the interface says, in English; the other languages have the same shape. Texts are
 * plain: what they are given may be marked up already, they themselves hold nothing to escape.
 */
export const EN = {
  /** Labels of buttons, short enough for two or three in a row on a phone. */
  buttons: {
    apply: "Apply",
    change: "Change…",
    drop: "Drop",
    approve: "Approve",
    reject: "Reject",
    undo: "Undo",
    showOutput: "Show output",
    planFix: "Plan a fix",
    useResearch: "Use as context (once)",
    stopAutoUse: "Disable auto-use",
  },
  /** What happened, in front of an exact message that is always English; here that says it all. */
  failure: (_code: ErrorCode) => "",
  plan: {
    head: (workspace: string) => `Plan for ${workspace}`,
    goOn: "Type ok to see the change set.",
    whatElse: "What should be different? Write it, and I plan again.",
  },
  approval: {
    head: (workspace: string) => `Changes for ${workspace}`,
    count: (count: number, workspace: string) =>
      `${plural("en", count, { one: "change", many: "changes" })} in ${workspace}`,
    checks: "Checks that will run:",
    noChecks: "No checks will run.",
    note: "note",
    created: "new",
    deleted: "deleted",
    folderCreated: "new folder",
    folderRemoved: "folder removed",
    wholeDiff: "The whole diff",
  },
  call: {
    asks: (tool: string, reason: string) => `${tool} waits for your yes (${reason}):`,
    whole: "The whole call",
    blanks: (count: number) => `${count} blanks`,
    emptyLines: (count: number) => `${count} empty lines`,
    ends: (length: number, head: string, between: number, tail: string) =>
      `${length} characters; it begins:\n${head}\n⟨${between} characters between⟩\nand ends:\n${tail}`,
  },
  outcome: {
    committed: (where: string, count: number) =>
      `Applied in ${where}: ${plural("en", count, { one: "change", many: "changes" })}`,
    rolledBack: (where: string) => `Rolled back in ${where}: every file is as it was`,
    rolledBackExcept: (where: string, paths: string) => `Rolled back in ${where}, except ${paths}`,
    notPutBack: (where: string) => `Not all of it could be put back in ${where}`,
    rejected: (where: string) => `Rejected: nothing was changed in ${where}`,
    noChanges: (where: string) => `Nothing to change in ${where}`,
    undone: (where: string, count: number) =>
      `Undone in ${where}: ${plural("en", count, { one: "change", many: "changes" })}`,
    redone: (where: string, count: number) =>
      `Done again in ${where}: ${plural("en", count, { one: "change", many: "changes" })}`,
    conflict: (where: string) =>
      `Not all of it was done in ${where}: files edited since were left as they are`,
    undoHint: (workspace: string) => `undo takes it back (workspace ${workspace})`,
  },
  check: {
    passed: (commands: string) => `Checks passed: ${commands}`,
    noneRan: "No checks ran.",
    failed: (command: string, exit: string) => `Check ${command} ended with ${exit}`,
    outOfTime: (command: string) => `Check ${command} ran out of time`,
    signal: "a signal",
    sandbox: (kind: string) => `Sandbox: ${kind}`,
    stage: { passed: "passed", timedOut: "timed out", exit: (code: string) => `exit ${code}` },
    took: (verdict: string, seconds: string) => `${verdict} in ${seconds} s`,
    wholeOutput: "What the checks printed",
  },
  answer: { wholeAnswer: "The whole answer" },
  research: {
    head: "Found on the web:",
    notes: "Notes",
    autoUsed: "Auto-used ✓",
    autoUsedHow: "Auto-used ✓ (/autouse off ends this for the workspace)",
    useHow: "/use plans again with it, once",
  },
  /** What the menu and /help say of each command; `usage` is what may stand behind it. */
  commands: {
    help: { usage: "", about: "what I can do" },
    ws: { usage: "[NAME]", about: "show or choose the workspace" },
    plan: { usage: "GOAL", about: "plan a change in the workspace" },
    apply: { usage: "", about: "turn the plan into a change set and ask for approval" },
    diff: { usage: "", about: "show the plan's change set again" },
    undo: { usage: "", about: "take the newest change back" },
    redo: { usage: "", about: "do the undone change again" },
    history: { usage: "", about: "what was changed in the workspace" },
    status: { usage: "", about: "what runs, and what models took today" },
    routines: { usage: "", about: "routines and their next runs" },
    memory: { usage: "[forget KEY]", about: "what I remember" },
    model: { usage: "[NAME]", about: "show or choose the provider" },
    mode: { usage: "[readonly|supervised|full]", about: "show or set what I may do unasked" },
    report: { usage: "", about: "how the last plans went" },
    rules: { usage: "", about: "what I may do, what asks you, and what never happens" },
    use: { usage: "", about: "plan again with what was found on the web, once" },
    autouse: { usage: "[on|off]", about: "whether findings from the web go into plans unasked" },
    cancel: { usage: "", about: "end what is running" },
  },
  telegram: {
    help: "I work in the folders my owner granted: I propose a plan, show every change as one diff, apply it after your approval, run the checks and can undo it. Write what you want, or use:",
    planWithoutGoal: "Say what to plan, for example: /plan fix the failing test",
    forwarded:
      "A forwarded message is not taken as yours. Copy its text to send it in your own name.",
    onlyText: "I can read text only.",
    cancelling: "Stopping what runs here.",
    nothingRuns: "Nothing is running here.",
    notYours: "Only the person who asked can press this.",
    unknownButton: "I do not know this button any more.",
    stranger: (userId: number) =>
      `I work only for people my owner lists. To be let in, ask them to add ${userId} to telegram.allowed_user_ids.`,
    setAside: (tries: number, start: string) =>
      `I failed ${tries} times to work on this and set it aside: "${start}". Please say it another way, or look into the log.`,
  },
} as const;
