import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { ROWS } from "./shell-rows.ts";
import { readSnippet, readSnippets } from "./snippets.ts";

const ROOT = join(import.meta.dir, "../..");
/** Every snippet in these is run by a test over all of them. */
const BY_LANGUAGE = new Set(["toml", "ts"]);

const JOURNAL = readSnippets()
  .find(({ text }) => text.startsWith('{"seal"'))
  ?.text.split("\n")[0];

/** Which test outside of this folder shows what a snippet does, by the snippet's name. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, title: string]>> = {
  "docs/install.md: npm pack": [
    "tests/distribution/package.test.ts",
    "shows the demo where there is no Bun but its own",
  ],
  "docs/install.md: npm run build": [
    "tests/distribution/single-file.test.ts",
    "has its checksum beside it",
  ],
  "docs/checked-before-asked.md: Checks passed: npm run test (12.3 s), after 2 corrections": [
    "tests/channels/checked-lines.test.ts",
    "Checks passed: npm test (12.3 s), after 2 corrections",
  ],
  "docs/checked-before-asked.md: 2 of 3 different ways pass their checks; the smallest is shown.": [
    "tests/e2e/tries.test.ts",
    "shows the smallest way that passes, and previews and applies another",
  ],
  "docs/checked-before-asked.md: 2 of 2 different ways pass their checks; the smallest is shown.": [
    "tests/agent/another-way.test.ts",
    "plans by another model, and asks about the smaller one",
  ],
  "docs/checks.md: workspace api   /home/me/api, checks: cargo check --workspace (Cargo.toml; 8.1 s last time), cargo test --workspace (Cargo.toml; 41.0 s last time)":
    ["tests/cli/first-list.test.ts", "by a yes in advance, which says first what it is to"],
  "docs/generated-files.md: create package.json +8 -0": [
    "tests/planner/verify/generated.test.ts",
    "is shown, approved, written and undone with the manifest it belongs to",
  ],
  "docs/patch-rules.md: function first() {      <- anchor here: this function, not the next one": [
    "tests/patch/apply-edits.test.ts",
    "a statement represents the rest of the block around it",
  ],
  "docs/protocol.md: FILE[src/old.ts] (sha256=<64 hexadecimal digits>):": [
    "tests/planner/context/block.test.ts",
    "cutMiddle()",
  ],
  "docs/recovery.md: .papa-yu/": ["tests/repository/state-folder.test.ts", "state"],
  [`docs/recovery.md: ${JOURNAL}`]: [
    "tests/transaction/foreign-state.test.ts",
    "A journal that this home did not write",
  ],
  "docs/routines.md: /routines run NAME": [
    "tests/daemon/routine-service.test.ts",
    "/routines run hello",
  ],
  "docs/traces.md: cat .papa-yu/traces/2026-11-21-*.jsonl | jq 'select(.error_code) | {trace_id, error_code}'":
    [
      "tests/trace/segments.test.ts",
      "gives back what was written, newest first, whatever is in it and whenever it began",
    ],
  "docs/tools.md: destination: Lisbon; Porto": [
    "tests/tools/places/complete-location.test.ts",
    "trip.md before itinerary.md before project.json",
  ],
  "docs/tools.md: HTTP 200 OK": [
    "tests/tools/http-request-head.test.ts",
    "status, address without its fragment, type and size",
  ],
  "docs/tools.md: (exit code 0, 1.3 s)": [
    "tests/tools/watch-changes.test.ts",
    "run_command gives back modes, contents, binaries and what was overwritten",
  ],
};

const here = [...new Bun.Glob("*.test.ts").scanSync(import.meta.dir)]
  .map((name) => readFileSync(join(import.meta.dir, name), "utf8"))
  .join("\n");

/** Whether a test of this folder asks for it by its whole name, or for a rule of patches by its own. */
function isNamedHere(name: string): boolean {
  const rule = name.replace("docs/patch-rules.md: ", "");
  return here.includes(name) || (rule !== name && here.includes(`"${rule}"`));
}

/** Set-up of a checkout: what CI does, and programs and scripts that are there. */
function isSetUp(text: string): boolean {
  const lines = text
    .split("\n")
    .flatMap((line) => line.split(" && "))
    .map((line) => line.split(" # ")[0]?.trim() ?? "");
  return lines.filter(Boolean).every((line) => {
    const [, script] = /^npm (?:run )?(\w+)$/u.exec(line) ?? [];
    if (script !== undefined) return script in packageJson.scripts;
    if (line.startsWith("npx --yes bun@"))
      return readFileSync(join(ROOT, ".ci/run"), "utf8").includes(line);
    const [program = "", ...args] = line.split(" ");
    return [program, ...args.filter((arg) => arg.includes("/"))].every((path) =>
      existsSync(join(ROOT, path)),
    );
  });
}

test("every snippet of every page is run by a test, or a test shows what it does", () => {
  const snippets = readSnippets();
  const names = new Set(snippets.map(({ name }) => name));
  const unknown = snippets.filter(({ name, language, text }) => {
    if (BY_LANGUAGE.has(language) || name in ROWS || name in ELSEWHERE) return false;
    if (language === "" && / result: /u.test(text)) return false;
    return !isNamedHere(name) && !(language === "sh" && isSetUp(text));
  });
  expect(unknown.map(({ name }) => name)).toEqual([]);
  const known = [...Object.keys(ROWS), ...Object.keys(ELSEWHERE)];
  expect(known.filter((name) => !names.has(name))).toEqual([]);
});

test.each(Object.entries(ELSEWHERE))(
  "%s … is shown by a test that is there",
  (_name, [file, title]) => {
    expect(readFileSync(join(ROOT, file), "utf8")).toContain(title);
  },
);

test("the way of a message in ARCHITECTURE.md goes through rooms that are there", () => {
  const way = readSnippet(
    "ARCHITECTURE.md: channels/telegram   stores the update, then hands the text on",
  );
  const rooms = [...way.matchAll(/^([a-z-]+\/[a-z-]*) /gmu)].map(([, room = ""]) => room);
  expect(rooms.length).toBeGreaterThan(8);
  const isThere = (room: string) =>
    existsSync(join(ROOT, "src", room)) || existsSync(join(ROOT, "src", `${room}.ts`));
  expect(rooms.filter((room) => !isThere(room))).toEqual([]);
});
