import { expect, test } from "bun:test";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { createSandbox, phoneConfig } from "../e2e/papayu.ts";
import { startBotApi } from "../support/bot-api-server.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { openPhone } from "../support/phone.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { expectShown } from "./expect-shown.ts";
import { readSnippet } from "./snippets.ts";

const OWNER = 501;

/** A page's conversation, and what it is about. */
interface Scene {
  readonly page: string;
  readonly goal: string;
  readonly workspace: string;
  readonly files: Readonly<Record<string, string>>;
  readonly answer: {
    readonly plan: string;
    readonly summary: string;
    readonly actions: readonly object[];
  };
}

const ADDS = "export const add = (a, b) => a - b;\n";
const SUMS = "export const sum = (xs) =>\n  xs.reduce((a, b) => a + b);\n";

const SCENES: readonly Scene[] = [
  {
    page: "README.md: bot   Plan for site",
    goal: "plan: fix the failing test",
    workspace: `[[workspaces]]\nname = "site"\npath = "./folder"\ncheck = [["npm", "test"]]\n`,
    files: {
      "src/add.ts": ADDS,
      "package.json": JSON.stringify({ scripts: { test: "grep -q 'a + b' src/add.ts" } }),
    },
    answer: {
      plan: "1. Change src/add.ts: fix add",
      summary: "It adds.",
      actions: [
        patch(
          "src/add.ts",
          ADDS,
          "-export const add = (a, b) => a - b;\n+export const add = (a, b) => a + b;\n",
        ),
      ],
    },
  },
  {
    page: "docs/telegram.md: you   /plan the sum of an empty list should be 0",
    goal: "/plan the sum of an empty list should be 0",
    workspace: `[[workspaces]]\nname = "sample"\npath = "./folder"\n`,
    files: {
      "src/sum.ts": SUMS,
      "tests/sum.test.ts": "sum\n",
      "package.json": JSON.stringify({
        packageManager: "bun@1.4.5",
        scripts: { test: "test -e src" },
      }),
    },
    answer: {
      plan: "1. src/sum.ts starts at the first element; start at 0",
      summary: "The sum starts at 0.",
      actions: [
        patch(
          "src/sum.ts",
          SUMS,
          " export const sum = (xs) =>\n-  xs.reduce((a, b) => a + b);\n+  // of nothing, too\n+  xs.reduce((a, b) => a + b, 0);\n",
        ),
        { kind: "CREATE_FILE", path: "tests/empty.test.ts", content: "1\n2\n3\n4\n5\n6\n" },
      ],
    },
  },
];

function patch(path: string, source: string, lines: string): object {
  const text = `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${lines}`;
  return { kind: "PATCH_FILE", path, base_sha256: sha256(source), patch: text };
}

/** Plays the model of a scene, which asks for the file that it changes. */
function play({ answer: { plan, summary, actions }, files }: Scene) {
  const [path = ""] = Object.keys(files);
  return ({ body }: ModelRequest): Reply => {
    const said = JSON.stringify(body.messages);
    const asks = { actions: [], summary: "", context_requests: [{ type: "read_file", path }] };
    const plans = said.includes(`FILE[${path}]`) ? { actions: [], summary: plan } : asks;
    const document = said.includes("Now APPLY") ? { actions, summary } : plans;
    return { kind: "text", text: JSON.stringify(document) };
  };
}

test.each(SCENES.map((scene) => [scene.page, scene] as const))(
  "%s … is what the phone shows",
  async (_name, scene) => {
    using dir = tempDir();
    writeTree(join(dir.path, "folder"), scene.files);
    await using bot = await startBotApi();
    await using model = startModelServer(play(scene));
    const config = phoneConfig(model.url, bot.url, OWNER) + scene.workspace;
    const sandbox = createSandbox(dir.path, config, { TELEGRAM_BOT_TOKEN: bot.token });
    await using _daemon = await sandbox.host();
    const phone = openPhone(bot, OWNER);
    await phone.say(scene.goal, "Plan for");
    await phone.tap("Apply", "Changes for");
    await phone.tap("Approve", "Applied in");
    expectShown(readSnippet(scene.page), phone.transcript());
    expect(phone.transcript()).toContain("[Undo]");
  },
);
