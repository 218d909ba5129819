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

/**
 * The front of a folder is the file of its own name; here are the folders that have other doors:
 * what is loaded on demand, or by programs that are to load little, so that nobody pays for the
 * rest of the folder, and channels, named for their kind.
 */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  "channels/http": ["http-channel"],
  "channels/socket": ["socket-channel", "wire"],
  "channels/telegram": ["telegram-channel", "send-once", "welcome"],
  "cli/agent": ["ask", "tool", "tools"],
  "cli/changes": ["plan", "preview", "apply", "check", "undo", "history", "recover", "validate"],
  "cli/chat": ["chat", "terminal", "line-history"],
  "cli/daemon": ["start", "stop", "restart", "status", "logs", "open-console"],
  "cli/inspect": ["doctor", "doctor-child", "trace", "report"],
  "cli/routine": ["routine-command"],
  "cli/screen": ["screen", "open-output", "activity", "show-preview", "pager"],
  "cli/setup": [
    "init",
    "demo",
    "pair",
    "config-command",
    "repair",
    "adopt-state",
    "version",
    "completion/completion",
  ],
  "config/edit": ["parse-value"],
  "config/keys": ["show-key"],
  "console/pages": [
    "care/care",
    "chat/chat",
    "inbox/inbox",
    "review/review",
    "routines/routines",
    "settings/settings",
    "traces/traces",
    "workspaces/workspaces",
  ],
  "daemon/console": ["tell-phone"],
  "planner/apply": ["shown-again"],
  "planner/prepare": ["plan-patch"],
  "planner/verify": ["check-undo"],
  "system/logs": ["follow-lines", "read-back"],
  "system/own": ["connections", "console-files", "files", "lay-bun", "programs"],
  "store/tend": ["tend-child"],
  "system/probes": ["probe-inside"],
  "system/processes": ["scratch", "supervisor"],
  "system/sandbox": ["overlay/overlay", "door-inside"],
  "texts/notes": ["en", "ru", "zh"],
  "tools/files": ["nearest-paths"],
  "tools/mcp": ["server"],
  "tools/places": ["map-services"],
  "agent/plans": ["revise"],
  "trace/report": ["render-report"],
  "transaction/compute": ["leave-out", "write-lines"],
  "transaction/recover": ["close-lost"],
  "transaction/undo": ["adopt"],
  "workspace/skills": ["skill-files"],
};

const graph: ImportGraph = await readImportGraph(SRC);
const files = [...graph.files.keys()];
const folders = [...new Set(files.flatMap(foldersOf))].toSorted();
const inner = folders.filter((folder) => folder.includes("/"));

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
    expect(boxes.size).toBeLessThanOrEqual(MOST_BOXES);
  });
});

test.each(inner)("src/%s is entered by its front", (folder) => {
  const isIn = (file: string) => file.startsWith(`${folder}/`);
  const names = [basename(folder), ...(DOORS[folder] ?? [])];
  const doors = new Set(names.flatMap((name) => toPaths(folder, name)));
  const entering = graph.arrows.filter(({ from, to }) => !isIn(from) && isIn(to));
  expect(entering.filter(({ to }) => !doors.has(to)).map(render)).toEqual([]);
});

test("no door is kept that nobody goes through", () => {
  const isEntered = (folder: string, path: string) =>
    graph.arrows.some(({ from, to }) => to === path && !from.startsWith(`${folder}/`));
  const idle = Object.entries(DOORS).flatMap(([folder, names]) =>
    names
      .filter((name) => !toPaths(folder, name).some((path) => isEntered(folder, path)))
      .map((name) => `${folder}: ${name}`),
  );
  expect(idle).toEqual([]);
});

test("adapters of one room do not import each other", () => {
  const adapter = (file: string) => /^channels\/(\w+)\//u.exec(file)?.[1];
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
