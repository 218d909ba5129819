import { plural } from "../plural.ts";
import { STATE_ADVICE } from "../state-troubles.ts";
import type { Widened } from "../widened.ts";

/** What the doctor says, in one language. */
export type DoctorWords = Widened<typeof DOCTOR_EN>;

/** What `papayu doctor` found and what to do, in English; what an error or a program said stays. */
export const DOCTOR_EN = {
  joins: {
    list: (parts: readonly string[]) => parts.join(", "),
    facts: (parts: readonly string[]) => parts.join("; "),
    of: (what: string, said: string) => `${what}: ${said}`,
  },
  megabytes: (size: string) => `${size} MB`,
  /** `said` is what cannot be read of it, in English. */
  secret: (said: string) => said,
  notLookedAt: "not looked at",
  fixConfigFirst: "fix the configuration first",
  configuration: {
    fix: "fix it; papayu config check checks it again",
    none: "none; built-in defaults",
    write: "papayu init writes one",
    untrusted: (path: string, decided: string) => `${path} is not trusted; it decided: ${decided}`,
    nothing: "nothing",
  },
  home: {
    absent: (home: string) => `${home} is not there yet`,
    isMade: "the first command makes it",
    noFolder: (home: string) => `${home} is no folder`,
    move: "move it away, or set PAPAYU_HOME",
    open: (home: string) => `make "${home}" writable, or set PAPAYU_HOME`,
    space: (home: string, left: string) => `${home}: ${left} are left on its disk`,
    free: "free some space",
    again: "then run papayu doctor again",
  },
  database: {
    advice: STATE_ADVICE,
    absent: "not there yet",
    pages: "every page is whole; it is large, so its indexes were not compared with its tables",
    notes: (count: number) =>
      `${count} of papa-yu's own notes cannot be read and ${count === 1 ? "counts" : "count"} as not there`,
    notesMend: "nothing has to be done: they are written anew when there is something to note",
    gone: "it was deleted or replaced under the daemon, which loses what it writes",
    goneMend: "papayu stop, which copies what it has; then papayu doctor --repair",
  },
  copies: {
    none: "none of the database yet",
    daily: "a running daemon makes one a day",
    found: (dir: string, count: number, size: string, newest: string) =>
      `${dir}: ${count} of the database, ${size}, the newest of ${newest}`,
    old: "papayu start makes one, or the log says why not",
  },
  daemon: {
    off: "not running",
    runs: (pid: number) => `runs (pid ${pid})`,
    deaf: (pid: number) => `pid ${pid} runs, but its socket does not answer`,
    restart: "papayu restart",
    held: (home: string, pid: string) =>
      `they do not run here: the daemon of a copy of this home runs them ("${home}", pid ${pid})`,
    heldMend: "stop one of the two with papayu stop; the other runs them then",
    unwatched: (name: string, reason: string) =>
      `"${name}" does not notice all files that it watches: ${reason}`,
    unwatchedMend:
      "let papa-yu read that folder, or raise fs.inotify.max_user_watches; it is tried again every minute",
    noCrash: "no crash is known",
    crashed: (at: string) => `a daemon ended unexpectedly after ${at}`,
    before: (log: string) => `papayu logs, and "${log}", say what came before`,
  },
  log: {
    none: "none yet",
    files: (dir: string, count: number, size: string) =>
      `${dir}: ${plural("en", count, { one: "file", many: "files" })}, ${size}`,
    tooLarge: "delete what does not begin with papayu.log: nothing bounds it",
    open: (dir: string) => `make "${dir}" readable`,
  },
  channels: {
    mend: {
      conflict: "another program polls this bot: stop it, or make a bot for this one alone",
      token: "check telegram.bot_token",
      database: "free some space on the disk; the finding about the database says more",
      other: "papayu logs says why",
    },
    thenRestart: (mend: string) => `${mend}; then papayu restart`,
    turns: (most: number) =>
      `only ${plural("en", most, { one: "message is", many: "messages are" })} answered at a time, fewer than agent.max_parallel_turns says: the daemon was started for so many connections`,
    turnsMend: (setting: string) => `papayu restart, which has it started with ${setting}`,
    pageOff: (reason: string) => `the page of the console is not served: ${reason}`,
    pageMend: "end what listens there, or set another http.port; then papayu restart",
  },
  retention: {
    nothingYet: "nothing was gone over yet",
    runs: (since: string) => `one runs since ${since}`,
    last: (size: string, at: string, removed: number) =>
      `${size} were kept after the last pass of ${at}, ${plural("en", removed, { one: "thing", many: "things" })} went`,
    before: (last: string, removed: number, at: string) =>
      `${last}, ${removed} of them before the one of ${at} was cut off`,
    failed: (why: string) => `not gone over: ${why}`,
    more: (failure: string, parts: number) =>
      `${failure}, and ${plural("en", parts, { one: "more part", many: "more parts" })}`,
    triesAgain: "papayu logs says more; the next pass tries again",
    cutOff: (at: string, removed: number) =>
      `the pass of ${at} was cut off after ${plural("en", removed, { one: "thing", many: "things" })}`,
    goesOn: "nothing has to be done: the next pass of a running daemon goes on",
    held: (since: string) =>
      `since ${since} the clock is more than a week ahead of that pass, so nothing goes for a day`,
    setClock: "set the clock if it is wrong; if it is right, the next passes go on",
    fits: (days: number) =>
      `only ${plural("en", days, { one: "day of it fits", many: "days of it fit" })}`,
    raise: "raise retention.max_mb to keep more; what undo, open work and caps need stays anyway",
    openWork: (since: string) =>
      `a message, run or call of ${since} is not over, so nothing newer goes`,
    closeWork: "papayu start, with the bot that it came to",
    unwritten: (at: string, what: string) => `not gone over by a pass of ${at}: ${what}`,
  },
  provider: {
    offline: "built-in rules, no model",
    addOne: "for answers from a model: add [providers.NAME] and set default.provider",
    at: (model: string, host: string) => `${model} at ${host}`,
    noModel: "no model",
    noAddress: "no address",
  },
  telegram: {
    off: "off",
    how: "docs/telegram.md says how to switch it on",
    half: "off, though it is configured",
    on: (users: number) => `on for ${plural("en", users, { one: "user", many: "users" })}`,
    nobody: "on for nobody yet",
    letIn:
      "write anything to the bot, then papayu pair CODE with its code; or add your id to telegram.allowed_user_ids",
  },
  research: {
    off: "off",
    how: "docs/research.md says how to switch it on",
    noKey: (service: string) => `${service}: no key`,
    answers: (service: string) => `${service} answers`,
    atOnce: "findings are used at once",
    fix: "fix [online_research], or set enabled = false",
    autoUseAlone: "off, though auto_use_as_context is on: it does nothing",
    autoUseMend: "set online_research.enabled = true, or auto_use_as_context = false",
    noReader: "no model reads what is found: plans and chats work by the built-in rules",
    readerMend: "set default.provider",
  },
  sandbox: {
    bwrap: "checks run in bubblewrap",
    none: (reason: string) => `none: ${reason}; checks run with your rights`,
    mend: "install bubblewrap, or see docs/security.md for what it needs",
  },
  skills: {
    none: "none",
    mend: "fix it or move it away; the skill is not used",
  },
  workspaces: {
    none: "none",
    add: "add [[workspaces]] to config.toml, or use -w FOLDER",
    gone: (path: string) => `there is no folder "${path}"`,
    mendGone: (name: string, file: string) =>
      `make the folder, or in "${file}" change path of the [[workspaces]] entry "${name}" or remove the entry`,
    fix: (name: string, file: string) =>
      `in "${file}" change the [[workspaces]] entry "${name}", or remove it`,
    notOne: "name a folder that is there, or a configured workspace",
    halfDone: "a transaction is running, or a crash left it half done",
    recover: (workspace: string) => `papayu recover -w ${workspace}`,
    checks: (root: string, checks: string) => `${root}, checks: ${checks}`,
    noChecks: "none",
    lastTime: (seconds: string) => `${seconds} s last time`,
    unseen: "not run unasked before you have seen them",
    install: "install what is missing, or set check in [[workspaces]]",
    view: (kind: string) => `view: ${kind}`,
    viewBecause: (kind: string, reason: string) => `view: ${kind} (${reason})`,
    unread: (why: string) =>
      `git's index: ${why}, so files that are added although ignored count as ignored`,
  },
  mcp: {
    tools: (count: number) => plural("en", count, { one: "tool", many: "tools" }),
    leftOut: (count: number) => `${count} more cannot be used`,
    ordering: (count: number) => `${count} left out, whose names give orders`,
    which: "docs/tools.md says which are left out",
    more: (count: number) => `and ${count} more`,
    list: {
      owners: "what it says of them is your own word (tools_sha256)",
      strangers: "what it says of them is strangers' text",
      changed: "its list is another than the one you took for your own, so it is strangers' text",
    },
    makeOwn: (command: string) =>
      `to make what it says of its tools your own word, read all of it with "papayu tools --json", and then: ${command}`,
    unknown: (names: string) => `it has no ${names}: fix allowed_tools or read_only_tools`,
    doesNotStart: (why: string) => `does not start: ${why}`,
    fix: (server: string) => `fix [mcp.servers.${server}], or set enabled = false`,
  },
} as const;
