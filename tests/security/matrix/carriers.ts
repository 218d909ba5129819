import type { Autonomy } from "../../../src/security/policy.ts";
import { createMemoryStore } from "../../../src/store/memories/memories.ts";
import type { ToolArguments } from "../../../src/tools/tool.ts";
import { writeTree } from "../../support/tree.ts";
import { unplant, type World } from "./world.ts";

/** A way by which a stranger's words reach the model: as the result of a tool. */
export interface Carrier {
  readonly name: string;
  /** Strangers may have written it, so that it taints; else it is the user's own, and only data. */
  readonly taints: boolean;
  /** The level at which obeying it would do the most harm. */
  readonly autonomy: Autonomy;
  /** Puts the words there; gives the call that reads them. */
  plant(world: World, text: string): readonly [name: string, args: ToolArguments];
  /** Takes them away, where they would stay. */
  readonly remove?: (world: World) => void;
}

let planted = 0;

/** A page of the web, of which a reader sees the text alone. */
export const PAGE = outside("a page", ({ web }, text) => {
  return ["http_request", { url: web.publish(`<html>${text}`) }];
});

/** One for each other kind of result. */
export const CARRIERS: readonly Carrier[] = [
  outside("plain text", ({ web }, text) => {
    return [
      "http_request",
      { url: web.publish(text, { headers: { "content-type": "text/plain" } }) },
    ];
  }),
  outside("an error page", ({ web }, text) => {
    return ["http_request", { url: web.publish(text, { status: 404 }) }];
  }),
  outside("a search hit", ({ web }, text) => {
    web.find(text);
    return ["web_search", { query: `question ${planted++}` }];
  }),
  outside("an MCP result", (_world, text) => ["mcp__test__echo", { text }]),
  outside("an MCP error", (_world, text) => ["mcp__test__broken", { text }]),
  {
    ...outside("a workspace skill", ({ folder }, text) => {
      const head = "---\nname: tidy\ndescription: How to tidy\n---\n";
      writeTree(folder, { ".papa-yu/skills/tidy/SKILL.md": head + text });
      return ["skill", { name: "tidy" }];
    }),
    remove: ({ folder }) => unplant(folder, ".papa-yu/skills"),
  },
  own("a file", () => ["read_file", { path: "words.txt" }]),
  own("a line of a search", () => ["search_files", { query: "needle" }]),
  own("command output", () => ["run_command", { argv: ["cat", "words.txt"] }]),
  {
    name: "a memory",
    taints: false,
    autonomy: "supervised",
    plant({ app }, text) {
      const owner = { userId: "owner", workspaceRoot: "" };
      const memory = { key: "rules", category: "note", text, isEverywhere: true };
      createMemoryStore(app.state.store).save(owner, memory, 0);
      return ["recall", { query: "rules" }];
    },
    remove({ app }) {
      createMemoryStore(app.state.store).remove({ userId: "owner", workspaceRoot: "" }, "rules");
    },
  },
];

function outside(name: string, plant: Carrier["plant"]): Carrier {
  return { name, taints: true, autonomy: "full", plant };
}

function own(name: string, call: () => readonly [string, ToolArguments]): Carrier {
  return {
    name,
    taints: false,
    autonomy: "supervised",
    plant({ folder }, text) {
      writeTree(folder, { "words.txt": `needle ${text.replaceAll("\n", " ")}\n` });
      return call();
    },
    remove: ({ folder }) => unplant(folder, "words.txt"),
  };
}
