import { expect, test } from "bun:test";
import { basename, join } from "node:path";

const SRC = join(import.meta.dir, "../../src");

/** What is passed on and has more parts is a bag: who takes it cannot say what it needs. */
const MOST_PARTS = 8;
/** Named in so many files, an object is passed on, and not just a document that somebody reads. */
const PASSED_ON = 6;

/** Documents, rows and requests: data about one thing, read where it arrives. */
const DATA: ReadonlySet<string> = new Set([
  "channels/http/console/inbox-item.ts: InboxItem",
  "cli/screen/diff/languages.ts: Language",
  "config/schema/schema.ts: SchemaNode",
  "console/client/file-entry.ts: FileEntry",
  "console/client/item.ts: Item",
  "console/client/wire.ts: ChangeSet",
  "console/pages/chat/wire.ts: Message",
  "console/pages/routines/wire.ts: Routine",
  "console/pages/settings/wire.ts: Settings",
  "console/pages/traces/report-wire.ts: Report",
  "console/pages/workspaces/wire.ts: Entry",
  "patch/hunks/hunk.ts: Hunk",
  "planner/apply/options.ts: ApplyOutcome",
  "planner/answer.ts: CallRecord",
  "planner/offline/project-view.ts: ProjectView",
  "providers/provider.ts: ChatRequest",
  "routines/routine.ts: Routine",
  "store/plans/plans.ts: StoredPlan",
  "store/routines/routine-run.ts: RoutineRun",
  "system/probes/bait.ts: Bait",
  "tools/routine-service.ts: RoutineView",
  "tools/tool.ts: ToolFailure",
  "trace/report/report.ts: Report",
  "trace/stored-trace.ts: StoredTrace",
  "transaction/change.ts: CheckStage",
  "transaction/journal/history.ts: HistoryEntry",
  "transaction/journal/write-journal.ts: JournalHeader",
  "transaction/views.ts: OutcomeView",
  "transaction/views.ts: PreviewView",
  "workspace/checks/project.ts: Project",
  "workspace/workspace.ts: Workspace",
]);

/** What can be done with one thing: whoever takes it names what it calls. */
const OPERATIONS: ReadonlySet<string> = new Set([
  "channels/http/console/chat-facts.ts: ChatFacts",
  "channels/http/console/facts.ts: PersonFacts",
  "channels/http/console/sessions/sessions.ts: Sessions",
  "console/client/client.ts: Client",
  "console/pages/review/person/comments.ts: Comments",
  "daemon/console/viewer.ts: Viewer",
  "routines/scheduler.ts: Scheduler",
  "store/chats/inbox.ts: Inbox",
  "store/chats/outbox.ts: Outbox",
  "store/routines/routines.ts: RoutineRuns",
  "tools/routine-service.ts: RoutineService",
  "tools/tool.ts: Tool",
  "transaction/tree.ts: Tree",
  "workspace/ledger.ts: Ledger",
]);

interface Shape {
  readonly name: string;
  readonly path: string;
  readonly own: number;
  readonly bases: readonly string[];
}

const sources = new Map<string, string>();
for (const path of [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SRC)].toSorted()) {
  sources.set(path, await Bun.file(join(SRC, path)).text());
}

const SHAPE =
  /^export (?:interface (?<one>\w+)(?:<.*?>)?(?: extends (?<bases>[^{]+))?|type (?<other>\w+)[^=\n]* =) \{\n(?<body>[\s\S]*?)^\}/gmu;

/** What a file exports as an interface or a type, with the parts at their first level, and what they extend. */
function shapesIn(path: string, text: string): readonly Shape[] {
  return [...text.matchAll(SHAPE)].map(({ groups = {} }) => ({
    name: groups["one"] ?? groups["other"] ?? "",
    path,
    own: [...(groups["body"] ?? "").matchAll(/^ {2}(?:readonly )?\w+\??[:(<]/gmu)].length,
    bases: [...(groups["bases"] ?? "").replaceAll(/<.*?>/gu, "").matchAll(/\w+/gu)].map(
      ([to]) => to,
    ),
  }));
}

const shapes = [...sources].flatMap(([path, text]) => shapesIn(path, text));

function partsOf({ own, bases, path }: Shape): number {
  const imported = sources.get(path) ?? "";
  const isBase = (shape: Shape) =>
    bases.includes(shape.name) &&
    (shape.path === path || imported.includes(`/${basename(shape.path)}"`));
  const inherited = shapes.filter(isBase);
  return own + inherited.reduce((sum, base) => sum + partsOf(base), 0);
}

test("what is passed on has few parts", () => {
  const large = shapes
    .filter((shape) => partsOf(shape) > MOST_PARTS)
    .filter(({ name }) => {
      const word = new RegExp(`\\b${name}\\b`, "u");
      return [...sources.values()].filter((text) => word.test(text)).length >= PASSED_ON;
    });
  const found = new Map(large.map((shape) => [`${shape.path}: ${shape.name}`, partsOf(shape)]));
  const isKnown = (key: string) => DATA.has(key) || OPERATIONS.has(key);
  const advice =
    "put a part into one that it belongs to, or list it in DATA or OPERATIONS of bags.test.ts";
  const bags = Object.fromEntries([...found].filter(([key]) => !isKnown(key)));
  expect(bags, `more than ${MOST_PARTS} parts: ${advice}`).toEqual({});
  expect([...DATA, ...OPERATIONS].filter((key) => !found.has(key))).toEqual([]);
});
