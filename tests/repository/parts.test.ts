import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../src/core/ids.ts";
import { renderLeftOut } from "../../src/workspace/part.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const SRC = join(import.meta.dir, "../../src");

/** What gives a part and says what it left out. */
const GIVES_PARTS = /\b(?:listFiles|searchFiles|listSkillFiles|listForeign|listUnknown)\(/u;

/** Who takes the one without the other, and why nothing is said or decided by what is missing. */
const TAKES_ITEMS: Readonly<Record<string, string>> = {
  "daemon/start-report/start-facts.ts": "lines of the log; recover names all, with their number",
  "tools/files/nearest-paths.ts": "offers names; that there is none is not said",
  "tools/program-files.ts": "what is too deep to be listed, no program finds as a test either",
  "transaction/describe-state.ts": "warns of what is there; recover names all, with their number",
  "transaction/undo/adopt.ts": "a person names one; recover says how many were not looked at",
  "workspace/checks/read-manifests.ts": "a function of its own, over one folder",
};

test("whoever takes a part of something takes what was left out of it, too", async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    const text = await Bun.file(join(SRC, path)).text();
    const calls = text.replaceAll(/^export (?:async )?function .*$/gmu, "");
    const isWhole = [...calls.matchAll(new RegExp(GIVES_PARTS, "gu"))].length;
    const taken = [...calls.matchAll(/\bleftOut\b/gu)].length;
    if (isWhole > 0 && taken === 0) found.push(path);
  }
  expect(found.toSorted()).toEqual(Object.keys(TAKES_ITEMS).toSorted());
});

/** The first or the last few of a list, by a bound; texts have bounds of their own (cuts.test.ts). */
const CUT =
  /\.slice\((?:0, |-)(?:(?!\w*(?:CHARS|LENGTH|BYTES|INDENT|BUNDLE|ADDRESS)\b)[A-Z][A-Z_]+|limit|most|max[A-Z]\w*|\w+\.max\w+)\)/u;

/** What SQLite gives the newest or first of; by `LIMIT 1` one is asked for. */
const CUT_ROWS = /\bLIMIT (?:\?|\$|[2-9])/u;

test("a list is cut by core/few.ts, which makes whoever takes it say so, or is listed with what it is for", async () => {
  expect(await findSources(CUT)).toEqual(Object.keys(PICKS).toSorted());
});

test("rows are limited where they go by steps, or by who counts all of them", async () => {
  expect(await findSources(CUT_ROWS)).toEqual(Object.keys(LIMITED_ROWS).toSorted());
});

test("the rules find what they are for", () => {
  const cuts = ["a.slice(0, MOST_NAMES)", "a.slice(-KEPT)", "a.slice(0, limits.maxSources)"];
  const others = ["text.slice(0, MAX_CHARS)", "sha256(x).slice(0, 12)", "a.slice(0, index)"];
  expect(cuts.every((each) => CUT.test(each))).toBe(true);
  expect(others.some((each) => CUT.test(each))).toBe(false);
  expect(CUT_ROWS.test("ORDER BY id LIMIT ?2")).toBe(true);
  expect(CUT_ROWS.test("ORDER BY id LIMIT 1")).toBe(false);
});

async function findSources(rule: RegExp): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    if (path === "core/few.ts") continue;
    if (rule.test(await Bun.file(join(SRC, path)).text())) found.push(path);
  }
  return found.toSorted();
}

/** Why nobody is shown a part for the whole. */
const LIMITED_ROWS: Readonly<Record<string, string>> = {
  "store/chats/inbox.ts": "what waits, by steps",
  "store/known-checks.ts": "checks that were seen; without a row they are shown again",
  "store/ledger.ts": "a long past, by steps",
  "store/memories/memories.ts": "counted in the same statement",
  "store/plans/plans.ts": "ids that a shell completes",
  "store/retention/row-kinds.ts": "what goes, by steps",
  "store/routines/routines.ts":
    "counted by whoever lists runs; of a start, `…` is behind the names",
  "store/sessions.ts": "says how many are older",
  "store/settings/prune-settings.ts": "what goes, by steps",
};

/** Where a few are picked or a stranger is bounded, and nobody takes them for all. */
const PICKS: Readonly<Record<string, string>> = {
  "agent/gate/turn-context.ts": "hosts that a person allowed; of any other they are asked again",
  "agent/history/history.ts": "the newest texts of a person, for tools that complete an argument",
  "agent/turn/load-tools.ts": "the first words of a tool that has its schema for who asks",
  "agent/turn/unknown-tool.ts": "names that may be meant",
  "channels/telegram/work/reply.ts":
    "a draft of an answer that is being written; all of it is sent",
  "agent/plans/apply-flow.ts": "the newest lines of a check that runs, as they go by",
  "cli/chat/line-history.ts": "lines that were typed, for the arrow keys",
  "cli/chat/tokens.ts": "the newest lines of a check that runs, as they go by",
  "cli/screen/activity.ts": "the newest lines of a check that runs, as they go by",
  "core/cut-text.ts": "a text, which it marks",
  "daemon/console/versions/seen.ts":
    "what somebody has looked at lately; what is older is looked at again",
  "http/forward-proxy/serve-client.ts": "addresses of one host, of which one answers",
  "patch/edits/edit-fault.ts": "lines of a hint, with the number of the others",
  "patch/places/describe-nearest.ts": "what differs first, as a hint",
  "patch/places/place-hunks.ts": "hunks that fit nowhere, of which one refuses the patch",
  "patch/places/repeats.ts": "lines next to a place, which are compared",
  "planner/context/choose-files.ts": "files that are shown unasked; all are in the listing",
  "planner/context/gather-context.ts": "files that are shown unasked; all are in the listing",
  "planner/context/wide-goal.ts": "names of a goal, of which one is looked for",
  "planner/offline/project-commands.ts": "the commands of a README",
  "planner/offline/rules/editorconfig.ts": "a sample of what sources look like",
  "planner/offline/rules/first-test.ts": "one file is enough",
  "planner/online/plan-online.ts":
    "what the block of sources shows, which says how many more there are",
  "planner/verify/generated.ts": "lines of an output that say what went wrong; all of it is kept",
  "research/create-search.ts": "as many hits as were asked for",
  "research/read-summary.ts": "faults of an answer, for the repair",
  "research/search-services.ts": "words that the service takes",
  "store/memories/memory-words.ts": "words of a question",
  "system/probes/lay-bait.ts": "baits of a probe",
  "system/processes/scratch.ts": "what a start removes; the next one removes more",
  "tools/command/watch-changes.ts": "those that are shown, which say how many there are",
  "tools/files/nearest-paths.ts": "names that may be meant",
  "tools/mcp/screen-list.ts": "a request counts the tools of a server; all are listed to who asks",
  "tools/places/complete-location.ts": "candidates, of which one is taken",
  "tools/places/find-places.ts": "the nearest places are what was asked for",
  "tools/program-files.ts": "what a yes is bound to: of more files a state of all together",
  "trace/report/render-report.ts": "says how many more were skipped",
  "trace/report/tally.ts": "the top of a table, by its name",
  "transaction/check.ts": "lines of a check that runs, as they go by; its result has its output",
  "transaction/view/mark.ts": "names that are compared with themselves",
  "transaction/view/view-folder.ts": "what a start removes; the next one removes more",
  "workspace/checks/node.ts": "globs of one manifest, which may be a stranger's",
  "workspace/checks/project.ts": "what a project's own runner is guessed by",
  "workspace/profile.ts": "names of packages for a model",
};

describe("a command whose answer is cut says so", () => {
  const config = '[[workspaces]]\nname = "w"\npath = "./w"\n';

  const CASES: readonly (readonly [
    name: string,
    args: readonly string[],
    lay: (root: string) => void,
    says: RegExp,
  ])[] = [
    [
      "list_files",
      ["tool", "list_files", "{}", "-w", "w"],
      (root) => layFiles(root, 450),
      /… 50 more not shown: name a folder/u,
    ],
    [
      "list_files, too deep",
      ["tool", "list_files", "{}", "-w", "w"],
      (root) => writeTree(root, { a: "", [`${"d/".repeat(65)}b`]: "" }),
      /… Left out: 1 folder too deep to be looked into/u,
    ],
    [
      "search_files",
      ["tool", "search_files", '{"query":"x"}', "-w", "w"],
      (root) => layFiles(root, 60),
      /… only the first 50 hits of 60: narrow with glob/u,
    ],
    [
      "search_files, too deep",
      ["tool", "search_files", '{"query":"nowhere"}', "-w", "w"],
      (root) => writeTree(root, { [`${"d/".repeat(65)}b`]: "nowhere" }),
      /No hits\.\n… Left out: 1 folder too deep/u,
    ],
    [
      "read_file",
      ["tool", "read_file", '{"path":"long.txt"}', "-w", "w"],
      (root) => writeTree(root, { "long.txt": "a line of words\n".repeat(5000) }),
      /are left out: use start_line/u,
    ],
    [
      "trace list",
      ["trace", "list", "-w", "w"],
      (root) => layTraces(root, 21),
      /… only the newest 20 of 21: --last N lists more/u,
    ],
    [
      "recover",
      ["recover", "-w", "w"],
      (root) => {
        for (let n = 0; n < 205; n++)
          mkdirSync(join(root, ".papa-yu/tx", newId("tx")), { recursive: true });
      },
      /\n5 more in \.papa-yu\/tx were not looked at/u,
    ],
    [
      "plan by the built-in rules",
      ["plan", "fix bugs", "-w", "w"],
      (root) => {
        const names = Array.from({ length: 2003 }, (_, n) => [`f${n}.ts`, ""]);
        writeTree(root, { "package.json": "{}", ...Object.fromEntries(names) });
      },
      /3 files were not looked at: plan again for a folder of its own/u,
    ],
  ];

  test.each(CASES)("%s", async (_, args, lay, says) => {
    using dir = tempDir();
    mkdirSync(join(dir.path, "w"));
    lay(join(dir.path, "w"));
    const { stdout, stderr } = await createSandbox(dir.path, config).run(...args);
    expect(stdout + stderr).toMatch(says);
  });

  function layFiles(root: string, count: number): void {
    const names = Array.from({ length: count }, (_, n) => [`f${n}.txt`, "x"]);
    writeTree(root, Object.fromEntries(names));
  }

  function layTraces(root: string, count: number): void {
    const traces = Array.from({ length: count }, (_, n) => {
      const at = Date.UTC(2026, 5, 1) + n;
      const trace_id = newId("trace", at);
      const started_at = new Date(at).toISOString();
      const text = JSON.stringify({ trace_id, event: "LLM_PLAN_OK", mode: "plan", started_at });
      return [`.papa-yu/traces/${trace_id}.json`, text];
    });
    writeTree(root, Object.fromEntries(traces));
  }
});

test("renderLeftOut() says what, how many and an example, and nothing of nothing", () => {
  expect(renderLeftOut([])).toBeUndefined();
  expect(
    renderLeftOut([
      { what: "files", count: 3 },
      { what: "large", count: 1, example: "a.log" },
      { what: "unreadable", count: 2, example: "b" },
      { what: "hits" },
    ]),
  ).toBe(
    "Left out: 3 files that were not looked at; 1 file too large to be searched (a.log); 2 files that cannot be read (such as b); further hits",
  );
});
