import { describe, expect, test } from "bun:test";
import { basename, join } from "node:path";
import {
  type Arrow,
  boxOf,
  circlesOf,
  foldersOf,
  type ImportGraph,
  readImportGraph,
  roomOf,
} from "../../scripts/import-graph.ts";

const ROOT = join(import.meta.dir, "../..");
const SRC = join(ROOT, "src");

/** The floor of each room; a room imports only from floors below its own. See ARCHITECTURE.md. */
const FLOORS: Readonly<Record<string, number>> = {
  core: 0,
  system: 1,
  texts: 1,
  protocol: 2,
  patch: 2,
  workspace: 2,
  providers: 2,
  security: 2,
  http: 2,
  console: 2,
  transaction: 3,
  trace: 3,
  store: 3,
  config: 3,
  research: 3,
  planner: 4,
  tools: 4,
  channels: 4,
  agent: 5,
  routines: 6,
  daemon: 7,
  cli: 8,
  "main.ts": 9,
  "index.ts": 9,
  "single.ts": 10,
};

/** Same floor, and still allowed: pure rooms may share plain types and functions. */
const NEIGHBOURS: ReadonlySet<string> = new Set(["protocol patch", "patch protocol"]);

/** What somebody who looks into a room or a folder can take in at a glance. */
const MOST_BOXES = 20;
const FEWER_BOXES =
  "put what belongs together into a folder with a front, or merge two files (CONTRIBUTING, Rooms)";

/** Why a folder has another door than its front: what is true of whoever goes through it. */
const REASONS = {
  "a command": "the table of commands loads just this, so that no command pays for another",
  "a program": "a program of its own begins here, and loads little",
  "on demand": "it is loaded where it turns out to be needed, and not before",
  "less than the front": "who needs this alone does not load the front",
  "beside the front":
    "it builds on the front or stands beside it, and who enters there does not load it",
  "kinds of one thing": "each is one of a kind, and is entered by its own name",
} as const;

/** Names of files, the reason that is checked, and who has it, in words. */
interface Doors {
  readonly doors: readonly string[];
  readonly reason: keyof typeof REASONS;
  readonly why: string;
}

/** The front of a folder is the file of its own name; here are the folders that have other doors. */
const DOORS: Readonly<Record<string, readonly Doors[]>> = {
  "agent/plans": [
    { doors: ["revise"], reason: "on demand", why: "few presses ask for the goal once more" },
  ],
  "channels/http": [
    { doors: ["http-channel"], reason: "kinds of one thing", why: "a channel, named for its kind" },
  ],
  "channels/socket": [
    {
      doors: ["socket-channel"],
      reason: "kinds of one thing",
      why: "a channel, named for its kind",
    },
    {
      doors: ["wire"],
      reason: "less than the front",
      why: "a terminal speaks as the channel does, and is no daemon",
    },
  ],
  "channels/telegram": [
    {
      doors: ["telegram-channel"],
      reason: "kinds of one thing",
      why: "a channel, named for its kind",
    },
    {
      doors: ["send-once"],
      reason: "on demand",
      why: "a daemon that cannot start tells its owner, and has no bot",
    },
    {
      doors: ["welcome"],
      reason: "less than the front",
      why: "who lets people in leaves a message to be sent, and runs no bot",
    },
  ],
  "cli/agent": [
    { doors: ["ask", "tool", "tools"], reason: "a command", why: "commands of their names" },
  ],
  "cli/changes": [
    {
      doors: ["plan", "preview", "apply", "check", "undo", "history", "recover", "validate"],
      reason: "a command",
      why: "commands of their names; redo is in undo",
    },
  ],
  "cli/chat": [
    { doors: ["chat"], reason: "a command", why: "the command of its name" },
    {
      doors: ["terminal", "line-history"],
      reason: "on demand",
      why: "a start in a terminal is a chat, one under a supervisor is none",
    },
  ],
  "cli/daemon": [
    {
      doors: ["start", "stop", "restart", "status", "logs", "open-console"],
      reason: "a command",
      why: "commands of their names; open-console is called open",
    },
  ],
  "cli/inspect": [
    { doors: ["doctor", "trace", "report"], reason: "a command", why: "commands of their names" },
    { doors: ["doctor-child"], reason: "a program", why: "the daemon has the doctor run apart" },
  ],
  "cli/routine": [
    { doors: ["routine-command"], reason: "a command", why: "a command with words of its own" },
  ],
  "cli/screen": [
    {
      doors: ["open-output", "activity", "show-preview"],
      reason: "less than the front",
      why: "most commands print lines, and need no Markdown and no passing line",
    },
    { doors: ["pager"], reason: "on demand", why: "a change is long, and somebody looks at it" },
    {
      doors: ["keyboard"],
      reason: "less than the front",
      why: "who asks reads, and draws nothing",
    },
  ],
  "cli/setup": [
    {
      doors: ["init", "demo", "pair", "config-command", "version", "completion/completion"],
      reason: "a command",
      why: "commands of their names; config-command is called config",
    },
    {
      doors: ["repair", "adopt-state"],
      reason: "on demand",
      why: "options of the doctor, for a home that is ill",
    },
  ],
  "config/edit": [{ doors: ["parse-value"], reason: "on demand", why: "the tool sets a key" }],
  "config/keys": [
    {
      doors: ["show-key"],
      reason: "less than the front",
      why: "a load and a completion show keys, and find none by what is meant",
    },
  ],
  "console/pages": [
    {
      doors: [
        "care/care",
        "chat/chat",
        "inbox/inbox",
        "review/review",
        "routines/routines",
        "settings/settings",
        "traces/traces",
        "workspaces/workspaces",
      ],
      reason: "kinds of one thing",
      why: "a page each; all but the inbox are loaded when they are opened",
    },
  ],
  "daemon/console": [
    {
      doors: ["tell-phone"],
      reason: "on demand",
      why: "something is said over HTTP in a private chat on the phone",
    },
  ],
  "planner/apply": [
    { doors: ["shown-again"], reason: "on demand", why: "a preview is only looked at again" },
  ],
  "planner/prepare": [
    { doors: ["plan-patch"], reason: "on demand", why: "a person brings a patch of their own" },
  ],
  "planner/verify": [
    {
      doors: ["check-undo"],
      reason: "beside the front",
      why: "an undo that is checked first; most are not",
    },
  ],
  "store/tend": [
    { doors: ["tend-child"], reason: "a program", why: "copies are made beside the daemon" },
  ],
  "system/logs": [
    {
      doors: ["follow-lines", "read-back"],
      reason: "less than the front",
      why: "who reads a log writes none",
    },
  ],
  "system/own": [
    {
      doors: ["connections"],
      reason: "less than the front",
      why: "one setting of the runtime, for who starts a daemon or is one",
    },
    {
      doors: ["console-files", "files", "lay-bun", "programs"],
      reason: "beside the front",
      why: "the front says how papa-yu was made; these read a part of it each",
    },
  ],
  "system/probes": [
    { doors: ["probe-inside"], reason: "a program", why: "it tries to get out of a sandbox" },
  ],
  "system/processes": [
    {
      doors: ["scratch"],
      reason: "less than the front",
      why: "who makes a passing folder ends no processes",
    },
    { doors: ["supervisor"], reason: "on demand", why: "a start tells systemd that it is ready" },
  ],
  "system/sandbox": [
    {
      doors: ["overlay/overlay"],
      reason: "less than the front",
      why: "a view is laid over a folder before anything runs in it",
    },
    { doors: ["door-inside"], reason: "a program", why: "it passes on what may leave a sandbox" },
  ],
  "texts/notes": [
    { doors: ["en", "ru", "zh"], reason: "kinds of one thing", why: "a language each" },
  ],
  "tools/files": [
    { doors: ["nearest-paths"], reason: "on demand", why: "a command names no file that there is" },
  ],
  "tools/mcp": [
    {
      doors: ["server", "screen-list"],
      reason: "less than the front",
      why: "the doctor tries one server and looks at its list, and makes no tools of it",
    },
  ],
  "tools/places": [
    { doors: ["map-services"], reason: "on demand", why: "few chats ask for a place" },
  ],
  "trace/report": [
    {
      doors: ["render-report"],
      reason: "less than the front",
      why: "a report that is made is put into words elsewhere",
    },
  ],
  "transaction/compute": [
    {
      doors: ["leave-out", "write-lines"],
      reason: "less than the front",
      why: "what a person leaves out or rewrites is a change of a change set that is made",
    },
  ],
  "transaction/recover": [
    {
      doors: ["close-lost"],
      reason: "beside the front",
      why: "only the command closes what no recovery can finish",
    },
  ],
  "transaction/undo": [
    {
      doors: ["adopt"],
      reason: "beside the front",
      why: "only the command takes over what another home made",
    },
  ],
  "workspace/skills": [
    { doors: ["skill-files"], reason: "on demand", why: "the tool opens one; a list needs none" },
  ],
};

const graph: ImportGraph = await readImportGraph(SRC);
const files = [...graph.files.keys()];
const folders = [...new Set(files.flatMap(foldersOf))].toSorted();
const inner = folders.filter((folder) => folder.includes("/"));
const valuesOf = Map.groupBy(
  graph.arrows.filter(({ kind }) => kind === "value"),
  ({ from }) => from,
);

test("every room of src/ is on a floor, and the other way round", () => {
  expect(files.length).toBeGreaterThan(50);
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(Object.keys(FLOORS).toSorted());
});

test("AGENTS.md has the same floors", async () => {
  const text = await Bun.file(join(ROOT, "AGENTS.md")).text();
  const rows = [...text.matchAll(/^\| (\d+) \| (.+) \|$/gmu)];
  const reported = rows.flatMap(([, floor, rooms = ""]) =>
    [...rooms.matchAll(/[\w.]+/gu)].map(([room]) => [room, Number(floor)] as const),
  );
  expect(Object.fromEntries(reported)).toEqual(FLOORS);
});

test("a room imports only from floors below its own", () => {
  const isDown = ({ from, to }: Arrow) => {
    const [above, below] = [roomOf(from), roomOf(to)];
    const falls = (FLOORS[above] ?? -1) > (FLOORS[below] ?? 99);
    return above === below || falls || NEIGHBOURS.has(`${above} ${below}`);
  };
  expect(graph.arrows.filter((arrow) => !isDown(arrow)).map(render)).toEqual([]);
});

test("no files import each other in a circle, of any kind: not for types, and not on demand", () => {
  expect(circlesOf(graph.arrows.map(({ from, to }) => [from, to]))).toEqual([]);
});

describe.each(folders)("src/%s", (folder) => {
  const isIn = (file: string) => file.startsWith(`${folder}/`);

  test("has no circle between its files and folders", () => {
    const within = graph.arrows.filter(({ from, to }) => isIn(from) && isIn(to));
    const arrows = within.map(({ from, to }) => [boxOf(folder, from), boxOf(folder, to)] as const);
    expect(circlesOf(arrows)).toEqual([]);
  });

  test(`shows at most ${MOST_BOXES} boxes`, () => {
    const boxes = new Set(files.filter(isIn).map((file) => boxOf(folder, file)));
    const shown = `src/${folder} shows ${[...boxes].join(", ")}`;
    expect(boxes.size, `${shown}: ${FEWER_BOXES}`).toBeLessThanOrEqual(MOST_BOXES);
  });
});

test.each(inner)("src/%s is entered by its front", (folder) => {
  const isIn = (file: string) => file.startsWith(`${folder}/`);
  const names = [basename(folder), ...(DOORS[folder] ?? []).flatMap(({ doors }) => doors)];
  const doors = new Set(names.flatMap((name) => toPaths(folder, name)));
  const entering = graph.arrows.filter(({ from, to }) => !isIn(from) && isIn(to));
  expect(entering.filter(({ to }) => !doors.has(to)).map(render)).toEqual([]);
});

const ALL_DOORS = Object.entries(DOORS).flatMap(([folder, all]) =>
  all.flatMap(({ doors, ...rest }) => doors.map((name) => ({ folder, name, ...rest }))),
);

test.each(ALL_DOORS)("$folder has the door $name, and its reason is true", (door) => {
  const { folder, name, reason, why } = door;
  const paths = new Set(toPaths(folder, name));
  const entering = graph.arrows.filter(
    ({ from, to }) => paths.has(to) && !from.startsWith(`${folder}/`),
  );
  expect(entering, "nobody goes through it").not.toEqual([]);
  expect(why.trim()).not.toBe("");
  const loading = entering.filter(({ kind }) => kind !== "type");
  const loadedBy = (from: string) =>
    loading.length > 0 && loading.every((arrow) => arrow.kind === "lazy" && arrow.from === from);
  const fronts = frontsOf(folder).flatMap((front) => toPaths(folder, front));
  const isTrue = {
    "a command": () => loadedBy("cli/commands.ts"),
    "a program": () => loadedBy("single.ts"),
    "on demand": () => loading.length > 0 && loading.every(({ kind }) => kind === "lazy"),
    "less than the front": () => !fronts.some((front) => [...paths].some(loads(front))),
    "beside the front": () => ![...paths].some((path) => fronts.some(loads(path))),
    "kinds of one thing": () => true,
  } satisfies Record<keyof typeof REASONS, () => boolean>;
  expect(isTrue[reason]() ? "" : `not so: ${REASONS[reason]}`).toBe("");
});

test("every reason that a door may have is one that some door has", () => {
  const given = new Set<string>(ALL_DOORS.map(({ reason }) => reason));
  expect([...given].toSorted()).toEqual(Object.keys(REASONS).toSorted());
});

/** The front, and in a folder of kinds each of them. */
function frontsOf(folder: string): readonly string[] {
  const kinds = ALL_DOORS.filter(
    (door) => door.folder === folder && door.reason === "kinds of one thing",
  );
  return [basename(folder), ...kinds.map(({ name }) => name)];
}

/** Whether a file loads `wanted` with itself, through whichever others. */
function loads(wanted: string): (from: string) => boolean {
  return (from) => {
    const seen = new Set([from]);
    for (const file of seen) {
      for (const { to } of valuesOf.get(file) ?? []) seen.add(to);
    }
    return from !== wanted && seen.has(wanted);
  };
}

test("what every command prints with loads no words before it has some to say", () => {
  const loaded = new Set(["cli/print.ts"]);
  for (const path of loaded) {
    const own = graph.arrows.filter(({ from, kind }) => from === path && kind === "value");
    for (const { to } of own) loaded.add(to);
  }
  expect([...loaded].filter((path) => path.startsWith("texts/"))).toEqual([]);
});

test("adapters of one room do not import each other", () => {
  const adapter = (file: string) => /^channels\/([\w-]+)\//u.exec(file)?.[1];
  const isWrong = ({ from, to }: Arrow) => {
    const [one, other] = [adapter(from), adapter(to)];
    return one !== undefined && other !== undefined && one !== other;
  };
  expect(graph.arrows.filter(isWrong).map(render)).toEqual([]);
});

test("patch/ and protocol/ do no IO", async () => {
  const wrong: string[] = [];
  for (const file of files.filter((path) => /^(patch|protocol)\//u.test(path))) {
    const text = await Bun.file(join(SRC, file)).text();
    if (/from "(node:(fs|net|http|child_process)|bun:sqlite)|\bBun\.|\bfetch\(/u.test(text))
      wrong.push(file);
  }
  expect(wrong).toEqual([]);
});

test("no file of src/ is longer than 300 lines", () => {
  expect([...graph.files].filter(([, { lines }]) => lines > 300)).toEqual([]);
});

function toPaths(folder: string, name: string): readonly string[] {
  return ["ts", "tsx"].map((end) => `${folder}/${name}.${end}`);
}

function render({ from, to }: Arrow): string {
  return `${from} → ${to}`;
}
