import { expect, test } from "bun:test";
import { createToolbox } from "../../src/agent/turn/turn.ts";
import { toUnknown } from "../../src/agent/turn/unknown-tool.ts";
import { openScene } from "./scene.ts";
import { tool } from "./turn-play.ts";

const RESEARCH =
  '[online_research]\nenabled = true\nsearch = "searxng"\nbase_url = "http://127.0.0.1:9"';

/** The tools that a chat has. */
async function builtIn() {
  using scene = await openScene({ config: RESEARCH });
  const { core, turns } = scene.app.current.agent;
  const [name = ""] = core.workspaces.names;
  const workspace = core.workspaces.get(name);
  const context = { workspace, userId: "owner", skills: [], propose: async () => FINE };
  const tools = await turns.toolsFor(context, new AbortController().signal, () => {});
  return createToolbox(tools).told();
}

const FINE = { ok: true, content: "" } as const;

const NAMES = {
  read_fil: "read_file",
  readFile: "read_file",
  "functions.read_file": "read_file",
  open_file: "read_file",
  "web-search": "web_search",
  search_web: "web_search",
  google_search: "web_search",
  http_get: "http_request",
  request: "http_request",
  weather: "get_weather",
  find_places: "search_places",
  run_shell_command: "run_command",
  run: "run_command",
  memory_recall: "recall",
  git_commit: "git",
  fetch_url: "http_request",
} as const;

test.each(Object.entries(NAMES))(
  "of %p the nearest of the real tools is among the named: %p",
  async (name, near) => {
    const { error, reason = "" } = toUnknown(name, await builtIn());
    const [, guess = ""] = reason.split("; did you mean ");
    expect(guess.split(" or ")).toContain(`"${near}"`);
    expect(error).toStartWith(reason);
  },
);

test("a name that is like nothing gets no guess, and the whole list", async () => {
  const { error, reason } = toUnknown("zzz", await builtIn());
  expect(reason).toBe('there is no tool "zzz"');
  for (const { name } of await builtIn()) expect(error).toContain(name);
});

test("no name is guessed for itself", async () => {
  const all = await builtIn();
  for (const { name } of all) {
    const [, guess = ""] = (toUnknown(name, all).reason ?? "").split("; did you mean ");
    expect(guess.split(" or ")).not.toContain(`"${name}"`);
  }
});

test("of a long list the nearest come first, and how many more there are is said", () => {
  const many = Array.from(
    { length: 100 },
    (_, n) => tool(`mcp__server__tool_${n}_x`, () => FINE).schema,
  );
  const { error, reason } = toUnknown("mcp__server__tol_99_x", many);
  expect(reason).toContain('did you mean "mcp__server__tool_99_x"');
  expect(error).toEndWith(" and 70 more");
  expect(error).toContain("mcp__server__tool_29_x");
  expect(error).not.toContain("mcp__server__tool_30_x");
});
