import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One step of a walk of CONTRIBUTING.md, as somebody who does what it says would take it. */
export interface Step {
  /** The words of CONTRIBUTING.md that ask for it. */
  readonly words: string;
  readonly edits: readonly Edit[];
  /** What notices that the step was left out. */
  readonly noticed: Notice;
}

/** A new file, or a text put behind another one that a file has. */
export type Edit =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly after: string; readonly insert: string };

/**
 * The test file that fails, the compiler, or knip, which names the file that nothing uses. What
 * the compiler refuses is each of the faults: a file with one part left out or written otherwise.
 */
export type Notice =
  | { readonly by: "test"; readonly file: string; readonly only?: string }
  | { readonly by: "compiler"; readonly faults: readonly Fault[] }
  | { readonly by: "knip"; readonly names: string }
  /** The test of a budget, which is silent as long as something is left of it. */
  | { readonly by: "budget"; readonly file: string; readonly only: string };

/** A file with one part left out or written otherwise. */
export interface Fault {
  readonly path: string;
  readonly part: string;
  readonly instead?: string;
}

const SAMPLES = join(import.meta.dir, "../../samples/walks");

function sample(walk: string, path: string): Edit {
  return { path, text: readFileSync(join(SAMPLES, walk, path), "utf8") };
}

const TOOL_FILE = "src/tools/walk-lines.ts";
const BOARD_FILE = "src/channels/walk-board/walk-board.ts";
const MADE_FILE = "src/daemon/channels/create-walk-board.ts";
const CHANNELS_FILE = "src/daemon/channels/channels.ts";
const BUDGET_FILE = "tests/repository/start-up-budget.test.ts";
const STRICTNESS_FILE = "tests/config/strictness.properties.test.ts";
const SCHEMA_FILE = "src/config/schema/definition.ts";
/** Names that nobody else gives to a tool, a channel or a key. */
const KEY = "walk_key_lines";
const MEANING = `integer("Lines walked", 10, 0, 100)`;
const LIMIT = `key(${MEANING}, SMALLER_BUT_0, atStart(BY_PERSON))`;
const CODE = "ERR_NOWHERE";
/** Where something is made of the configuration. */
const PART = "src/daemon/app/sandbox-options.ts";
const PART_START = "function workspaceRoots(loaded: LoadedConfig): readonly string[] {\n";

function raise(ours: number, kilobytes: number, why: string): string {
  return `    { ours: ${ours}, kilobytes: ${kilobytes}, why: "${why}" },\n`;
}

/** The walks by the words that CONTRIBUTING.md begins them with. */
export const WALKS: Readonly<Record<string, readonly Step[]>> = {
  "a tool": [
    {
      words: "Write `src/tools/NAME.ts`",
      edits: [sample("tool", TOOL_FILE)],
      noticed: {
        by: "compiler",
        faults: [
          { path: TOOL_FILE, part: `    origin: "workspace",\n` },
          { path: TOOL_FILE, part: `    leaves: "nothing",\n` },
          { path: TOOL_FILE, part: `    effect: () => "none",\n` },
        ],
      },
    },
    {
      words: "Mark it `isRare`",
      edits: [
        { path: TOOL_FILE, after: `    origin: "workspace",\n`, insert: "    isRare: true,\n" },
      ],
      noticed: { by: "test", file: "tests/agent/chat.test.ts", only: "a first message" },
    },
    {
      words: "Add it to `src/tools/create.ts`",
      edits: [
        {
          path: "src/tools/create.ts",
          after: `import type { Tool } from "./tool.ts";\n`,
          insert: `import { createWalkLinesTool } from "./walk-lines.ts";\n`,
        },
        {
          path: "src/tools/create.ts",
          after: "    createSearchFilesTool(workspace),\n",
          insert: "    createWalkLinesTool(workspace),\n",
        },
      ],
      noticed: { by: "knip", names: TOOL_FILE },
    },
    {
      words: "a row in `RAISES` of `tests/repository/start-up-budget.test.ts`",
      edits: [
        { path: BUDGET_FILE, after: "  status: [\n", insert: raise(0, 1, "a key more") },
        { path: BUDGET_FILE, after: "  ask: [\n", insert: raise(1, 4, "lines of a walk") },
        { path: BUDGET_FILE, after: "  start: [\n", insert: raise(4, 12, "a board for walks") },
      ],
      noticed: { by: "budget", file: BUDGET_FILE, only: "papayu (?:ask|start)" },
    },
  ],
  "a channel": [
    {
      words: "Implement `Channel` of `src/channels/channel.ts` in a folder of its own",
      edits: [sample("channel", BOARD_FILE)],
      noticed: {
        by: "compiler",
        faults: [{ path: BOARD_FILE, part: `    name: "walk-board",\n` }],
      },
    },
    {
      words: "Write a harness",
      edits: [
        sample("channel", "tests/channels/conformance/walk-board-harness.ts"),
        {
          path: "tests/channels/conformance/conformance.test.ts",
          after: `import { openTerminals } from "./terminal-harness.ts";\n`,
          insert: `import { openWalkBoard } from "./walk-board-harness.ts";\n`,
        },
        {
          path: "tests/channels/conformance/conformance.test.ts",
          after: "const CHANNELS: Readonly<Record<string, ChannelKind>> = {\n",
          insert: `  "walk-board": {
    open: openWalkBoard,
    openEmpty: () => openWalkBoard(() => undefined, []),
    delivers: "delivered",
    isDurable: false,
    leaveCancels: false,
  },
`,
        },
      ],
      noticed: {
        by: "test",
        file: "tests/channels/conformance/conformance.test.ts",
        only: "every folder",
      },
    },
    {
      words: "Make the channel in `src/daemon/channels/create-NAME.ts`",
      edits: [sample("channel", MADE_FILE)],
      noticed: { by: "knip", names: "create-walk-board" },
    },
    {
      words: "wire it in `src/daemon/channels/channels.ts`",
      edits: [
        {
          path: CHANNELS_FILE,
          after: "  const http = await createHttp(host, web, failures);\n",
          insert: `  const board = await createWalkBoard(conversationOf("walk-board"), host.current.texts, host.log);\n`,
        },
        {
          path: CHANNELS_FILE,
          after: `import { createTelegram, type TelegramHost } from "./create-telegram.ts";\n`,
          insert: `import { createWalkBoard } from "./create-walk-board.ts";\n`,
        },
        { path: CHANNELS_FILE, after: "const remote = [", insert: "board, " },
      ],
      noticed: { by: "knip", names: MADE_FILE },
    },
  ],
  "an error code": [
    {
      words: "Add it to `src/core/error-codes.ts`",
      edits: [
        {
          path: "src/core/error-codes.ts",
          after: "export const ERROR_CODES = {\n",
          insert: `  ${CODE}: "the home folder is nowhere",\n`,
        },
      ],
      noticed: { by: "test", file: "tests/repository/errors.test.ts" },
    },
    {
      words: "`docs/errors.md`",
      edits: [
        {
          path: "docs/errors.md",
          after: "## Daemon\n\n",
          insert: `### \`${CODE}\`\nWhen: The home folder is \`/nowhere\`.\nWhat to do: Set \`PAPAYU_HOME\`.\n\n`,
        },
      ],
      noticed: { by: "test", file: "tests/repository/errors.test.ts" },
    },
    {
      words: "`src/texts/failures/failures.ts`",
      edits: [
        {
          path: "src/texts/failures/failures.ts",
          after: "export const FAILURES_RU: Failures = {\n",
          insert: `  ${CODE}: "Домашней папки нет.",\n`,
        },
        {
          path: "src/texts/failures/failures.ts",
          after: "export const FAILURES_ZH: Failures = {\n",
          insert: `  ${CODE}: "主目录不存在。",\n`,
        },
      ],
      noticed: {
        by: "compiler",
        faults: [
          { path: "src/texts/failures/failures.ts", part: `  ${CODE}: "Домашней папки нет.",\n` },
          { path: "src/texts/failures/failures.ts", part: `  ${CODE}: "主目录不存在。",\n` },
        ],
      },
    },
    {
      words: "the moment it is used",
      edits: [
        {
          path: PART,
          after: `import { resolveWorkspace } from "../../config/workspaces.ts";\n`,
          insert: `import { AppError } from "../../core/app-error.ts";\n`,
        },
        {
          path: PART,
          after: PART_START,
          insert: `  if (loaded.home === "/nowhere") throw new AppError("${CODE}", 'Cannot live in "/nowhere"');\n`,
        },
      ],
      noticed: { by: "test", file: "tests/repository/errors.test.ts" },
    },
  ],
  "a configuration key": [
    {
      words: "Add it to its table in `src/config/schema/` with `key(…)`",
      edits: [
        {
          path: SCHEMA_FILE,
          after: `    agent: table("Limits of one turn and one day", {\n`,
          insert: `      ${KEY}: ${LIMIT},\n`,
        },
      ],
      noticed: {
        by: "compiler",
        faults: [
          { path: SCHEMA_FILE, part: LIMIT, instead: MEANING },
          { path: SCHEMA_FILE, part: LIMIT, instead: `key(${MEANING}, SMALLER_BUT_0)` },
          {
            path: SCHEMA_FILE,
            part: LIMIT,
            instead: `key(Type.Integer(), SMALLER_BUT_0, BY_PERSON)`,
          },
        ],
      },
    },
    {
      words: "Run `npm run schemas`",
      edits: [],
      noticed: { by: "test", file: "tests/repository/schemas.test.ts" },
    },
    {
      words: "Add its row to `docs/configuration.md`",
      edits: [
        {
          path: "docs/configuration.md",
          after:
            "Limits of one turn and one day\n\n| key | default | allowed | meaning |\n|---|---|---|---|\n",
          insert: `| \`${KEY}\` | \`10\` | an integer from 0 to 100 | Lines walked |\n`,
        },
      ],
      noticed: { by: "test", file: "tests/config/configuration-doc.test.ts" },
    },
    {
      words: "its name to the lists of keys there",
      edits: [
        {
          path: "docs/configuration.md",
          after: "| a smaller number; 0 is the largest | ",
          insert: `\`agent.${KEY}\`, `,
        },
        {
          path: "docs/configuration.md",
          after: "| after `papayu restart` | ",
          insert: `\`agent.${KEY}\`, `,
        },
      ],
      noticed: { by: "test", file: "tests/config/configuration-doc.test.ts" },
    },
    {
      words:
        "its case to `tests/config/strictness.properties.test.ts`, with a line in `RANKS` there",
      edits: [
        {
          path: STRICTNESS_FILE,
          after: `  "agent.turn_timeout_s": "smaller",\n`,
          insert: `  "agent.${KEY}": "smaller, 0: no limit",\n`,
        },
        {
          path: STRICTNESS_FILE,
          after: "const RANKS: Readonly<Record<string, (config: Config) => number>> = {\n",
          insert: `  "agent.${KEY}": ({ agent }) => agent.${KEY} || Infinity,\n`,
        },
      ],
      noticed: { by: "test", file: STRICTNESS_FILE, only: "every key of schemas|combineFiles" },
    },
    {
      words: "Read the key where the parts are wired (`src/daemon/app/`)",
      edits: [
        {
          path: PART,
          after: PART_START,
          insert: `  if (loaded.config.agent.${KEY} === 0) return [];\n`,
        },
      ],
      noticed: { by: "test", file: "tests/config/key-facts.test.ts", only: "is read" },
    },
  ],
};
