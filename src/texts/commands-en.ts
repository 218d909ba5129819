import { CHANGES_EN, plural } from "./plural.ts";

/** Commands and what they answer, in English. */
export const COMMANDS_EN = {
  /** What the menu and /help say of each command; `usage` is what may follow it. */
  commands: {
    help: { usage: "", about: "what I can do" },
    ws: { usage: "[NAME]", about: "show or choose the workspace" },
    plan: { usage: "GOAL", about: "plan a change in the workspace" },
    apply: { usage: "", about: "turn the plan into a change set and ask for approval" },
    diff: { usage: "", about: "show the plan's change set again" },
    undo: { usage: "", about: "take the newest change back" },
    redo: { usage: "", about: "do the undone change again" },
    history: { usage: "", about: "what was changed in the workspace" },
    status: { usage: "", about: "what is running, and what the models used today" },
    routines: {
      usage: "[run|on|off|logs NAME]",
      about: "routines, with buttons to run and switch them",
    },
    memory: { usage: "[forget KEY]", about: "what I remember" },
    model: { usage: "[NAME]", about: "show or choose the provider" },
    mode: {
      usage: "[readonly|supervised|full]",
      about: "show or set what I may do without asking",
    },
    report: { usage: "", about: "how the last plans went" },
    web: { usage: "", about: "how to open the web console" },
    rules: { usage: "", about: "what I may do, what needs your approval, and what never happens" },
    use: { usage: "", about: "plan again with what was found on the web, once" },
    autouse: {
      usage: "[on|off]",
      about: "whether findings from the web go into plans without asking",
    },
    cancel: { usage: "", about: "stop what is running" },
  },
  help: {
    intro:
      "I work in the folders my owner granted: I propose a plan, show every change as one diff, apply it after your approval, run the checks and can undo it. Write what you want, or use:",
    words: "plan: GOAL — plan a change; ok — apply the plan; anything else — chat",
    planWithoutGoal: "Say what to plan, for example: /plan fix the failing test",
    nothingBehind: (name: string) => `Nothing was done: /${name} takes no words behind it.`,
    unknown: (name: string) => `Unknown command /${name}.`,
    nearest: (name: string) => `Did you mean /${name}?`,
    listed: "/help lists all.",
  },
  /** What came with a command in a caption. */
  besideCommand: {
    files: (names: string) =>
      `Not saved, because it came with a command: ${names}. Send it again without one to keep it.`,
    captions: (starts: string) => `Not read, for the same reason: ${starts}`,
  },
  research: {
    head: "Found on the web:",
    notes: "Notes",
    autoUsed: "Auto-used ✓",
    autoUsedHow: "Auto-used ✓ (/autouse off ends this for the workspace)",
    useHow: "/use plans again with it, once",
  },
  history: {
    none: "No changes yet.",
    newest: (count: number, workspace: string) =>
      `Only the newest ${count}: papayu history -w ${workspace} lists all that are kept.`,
    kinds: { apply: "applied", undo: "undone", redo: "redone" },
    rolledBack: "rolled back",
    rolledBackExcept: "rolled back, except later edits",
    open: "not finished",
    count: (count: number) => plural("en", count, CHANGES_EN),
    /** Of transactions that `state.db` does not vouch for. */
    leftAlone: (count: number, workspace: string) =>
      `${plural("en", count, { one: "older change", many: "older changes" })} in ${workspace} cannot be listed or undone: made by an earlier papa-yu, in another home, or before the database was lost. On the machine, papayu recover -w ${workspace} names each and how to take it over.`,
  },
  /** Between the names of a list, and between parts that say something each. */
  joins: {
    /** What has no full stop of its own, and a sentence. */
    remark: (what: string, next: string) => `${what}. ${next}`,
    sentences: (parts: readonly string[]) => parts.join(" "),
    list: (parts: readonly string[]) => parts.join(", "),
    facts: (parts: readonly string[]) => parts.join("; "),
  },
  workspaces: {
    head: "Workspaces:",
    how: "/ws NAME chooses one",
    none: "No folder is configured. To add one, type on that machine: papayu config set workspaces.NAME '{ path = \"FOLDER\" }'",
    chosen: (name: string) => `Workspace: ${name}`,
  },
  status: {
    /** How words are put together in a row. */
    marks: {
      named: (name: string, what: string) => `${name}: ${what}`,
      and: (one: string, other: string) => `${one}, ${other}`,
      because: (what: string, reason: string) => `${what} (${reason})`,
    },
    stateGone:
      "state.db was deleted or replaced while papa-yu runs. What papa-yu still has of it is copied to the folder backups, now and once more when it stops. Run papayu stop, then papayu doctor --repair.",
    routinesHeld: (home: string, pid: string) =>
      `Routines do not run here: the daemon of a copy of this home runs them ("${home}", pid ${pid}). Stop one of the two with papayu stop.`,
    stateTrouble: (message: string) => `The database needs attention: ${message}`,
    noDaemon: "No daemon is running here.",
    runs: (version: string, time: string, pid: number, size: string) =>
      `papa-yu ${version} has been running for ${time} (pid ${pid}, ${size})`,
    size: (megabytes: number) => `${megabytes} MB`,
    seconds: (count: number) => `${count} s`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
    routine: (routine: string) => `routine ${routine}`,
    unwatched: (reason: string) => `not all its files are watched: ${reason}`,
    next: (time: string) => `next ${time}`,
    kept: (size: string, at: string, removed: number) =>
      `kept: ${size}; last tidied ${at}, removed: ${removed}`,
    keptDays: (days: number) =>
      `more than retention.max_mb: what is older than ${plural("en", days, { one: "day", many: "days" })} goes`,
    /** `others`: parts that could not be tidied either. */
    notTidied: (why: string, others: number) =>
      others > 0
        ? `could not be tidied: ${why}; and ${others} more: papayu logs`
        : `could not be tidied: ${why}`,
    tidyingCutOff: (at: string, removed: number) =>
      `the tidying of ${at} was cut off, removed until then: ${removed}; the next one goes on`,
    tidyingHeld: (at: string) =>
      `nothing is tidied: since ${at} the clock is more than a week ahead of the last tidying. If it is wrong, set it; if it is right, tidying goes on after a day`,
    waiting: (sessions: number, approvals: number) =>
      `sessions: ${sessions}, approvals waiting: ${approvals}`,
    spent: (all: string, here: string) => `Models today (UTC): ${all}; here: ${here}`,
    tokens: (count: number) => `${count} tokens`,
    tokensAndCost: (count: number, cost: number) => `${count} tokens, cost ${cost}`,
    /** Of channels and routines; a word that is not here stays as it is. */
    words: {
      listening: "listening",
      stopped: "stopped",
      connecting: "connecting",
      polling: "polling",
      offline: "offline",
      conflict: "conflict",
      failed: "failed",
      waiting: "waiting",
      running: "running",
      disabled: "disabled",
      invalid: "invalid",
      clients: "clients",
      port: "port",
      last_poll_at: "last poll at",
      inbox: "inbox",
      outbox: "outbox",
      reason: "reason",
      page_off: "page not served",
      turns_at_most: "turns at most",
    },
  },
  /** Of the web console. */
  console: {
    how: "The web console opens on the machine where I run: `papayu open`",
    own: "What waits for you and what we talk about, as a page",
    alone: "On the phone it opens from our private chat: say /web there.",
    open: "Open the console",
    review: "Review",
    notYou: "Not you?",
    revoke: "Revoke",
    browserEnded: "The browser is let in no more.",
    browserGone: "No browser is let in under this id any more.",
    answered: "Answered in the web console:",
    cameIn: (browser: string, time: string) =>
      `You came in to the web console: ${browser}, ${time}`,
    said: "Said in the web console:",
    askedElsewhere:
      "What waits here was asked in the web console and not shown here, so that is no answer. Answer it there, or ask for it here anew.",
    notShownHere:
      "What waits in this conversation was not on your screen when you said that, so it is no answer. Look at it first, then answer once more.",
    lostHere:
      "Telegram did not take what I asked here, so no word here answers it. Ask for it again (/diff shows a change set), or answer in the web console.",
    signedIn: (browser: string, time: string, id: string) =>
      `A browser signed in to the web console: ${browser}, ${time}. If that was not you: papayu open --revoke ${id}`,
  },
  memory: {
    none: "I remember nothing here yet.",
    everywhere: "everywhere",
    newest: (count: number, all: number) =>
      `These are the newest ${count} of ${all}; ask me for what you look for.`,
    how: "/memory forget KEY forgets one",
    forgotten: (key: string) => `Forgotten: ${key}`,
    unknown: (key: string) => `I remember nothing under "${key}".`,
  },
  /** What the owner is told of a saved configuration, and what a call shows that sets one key. */
  config: {
    refused: (file: string) => `"${file}" was saved, but the one before it stays in force:`,
    gone: (file: string) => `"${file}" is gone; what it said stays in force:`,
    inOrder: (file: string) => `"${file}" is valid again; nothing changed`,
    now: (file: string) => `"${file}" was saved; in force from now on:`,
    later: (file: string) => `"${file}" was saved; takes effect after papayu restart:`,
    more: (count: number) => `and ${count} more`,
    set: (key: string, value: string) => `Set ${key} in papa-yu's configuration to ${value}`,
    show: "Show papa-yu's configuration",
    written: "Written; it takes effect within a second:",
    writtenLater: "Written; it takes effect after papayu restart:",
    overruled: "Written, but another file or the environment wins; in force is:",
  },
  model: {
    now: (provider: string, model: string) => `Provider: ${provider}, model: ${model}`,
    configured: "Configured:",
    how: "/model NAME chooses one",
  },
  mode: {
    now: (mode: string) => `Autonomy: ${mode}.`,
    how: "/mode readonly|supervised|full sets it; full needs your approval",
    readonly: "I read and plan; whatever has an effect is denied.",
    supervised:
      "I read, and remember what you tell me; whatever changes something needs your approval.",
    full: "I act without asking; what is yours to decide, such as security settings, still needs your approval.",
  },
  report: {
    none: (workspace: string) => `No applies in ${workspace} yet.`,
    applies: (count: number, workspace: string, from: string, to: string) =>
      `Applies in ${workspace}: ${count}, ${from} to ${to}`,
    failed: (failed: number, fallbacks: number) =>
      `Failed: ${failed}, with a fallback: ${fallbacks}`,
    tokens: (input: string, output: string) => `Tokens: ${input} in, ${output} out`,
    cost: (cost: string) => `Cost: ${cost}`,
    ready: "The fallback to protocol v1 is not needed any more.",
    notReady: "The fallback to protocol v1 is still needed.",
  },
  rules: {
    head: (workspace: string) =>
      `Rules for ${workspace}. They are configuration, and no message of the model can change them.`,
    autonomy: (mode: string) => `autonomy: ${mode}.`,
    outside:
      "after reading from outside: notes, changes, files to send and new addresses need your approval, at every level that allows them.",
    protectedPaths: (paths: string) =>
      `protected paths, never read or written: ${paths}; lock files are never written`,
    commands: (commands: string) => `allowed commands: ${commands}`,
    noCommands: "no commands are allowed",
    orders: {
      block: "instructions hidden in what is read: the text is left out",
      warn: "instructions hidden in what is read: the text is marked",
      review: "instructions hidden in what is read: only logged",
      off: "instructions hidden in what is read: not looked for",
    },
  },
} as const;
