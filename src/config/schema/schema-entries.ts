import { Type } from "typebox";
import { type Key, key, OFF, OWNERS, SMALLER, SMALLER_OR_0 } from "./schema-facts.ts";
import {
  choice,
  entry,
  flag,
  integer,
  money,
  NAME_RULE,
  price,
  references,
  secret,
  text,
  texts,
  URL_RULE,
} from "./schema-parts.ts";

/** What people add to a configuration themselves, each by its name. */

/** An endpoint that answers. */
export const Provider = entry("An OpenAI-compatible endpoint", {
  base_url: Type.String({ description: "Root of the API, up to and with /v1", ...URL_RULE }),
  api_key: { ...secret("Key of the endpoint; empty: none", ""), examples: ["env:OPENAI_API_KEY"] },
  model: Type.String({
    description: "Model to ask",
    minLength: 1,
    maxLength: 200,
    examples: ["gpt-4o-mini"],
  }),
  extract_model: text("Cheaper model for page extraction; empty: model", ""),
  strict_json: flag("Ask for structured output by schema", true),
  max_tokens: Type.Optional(
    Type.Integer({
      description: "Longest answer in tokens; absent: the endpoint's own limit",
      minimum: 16,
      maximum: 1_000_000,
      examples: [4096],
    }),
  ),
  price_input_per_mtok: price("Price of a million input tokens; absent: tokens only", 0.15),
  price_output_per_mtok: price("Price of a million output tokens; absent: tokens only", 0.6),
});

const Command = Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
  minItems: 1,
  maxItems: 100,
});

/** A folder. */
export const WorkspaceEntry = entry("A folder that papa-yu may work in", {
  name: key(
    Type.String({
      description: "Name to call it by; unique",
      examples: ["site"],
      ...NAME_RULE,
    }),
    OWNERS,
  ),
  path: key(
    Type.String({
      description: "The folder: absolute, from ~/, or relative to this file",
      minLength: 1,
      maxLength: 4096,
      examples: ["~/projects/site"],
    }),
    OWNERS,
  ),
  check: key(
    Type.Unsafe<string[][] | false>({
      description:
        'Commands that must pass after an apply, as [["bun", "test"]]; []: detected; false: none',
      anyOf: [Type.Array(Command, { maxItems: 20 }), { type: "boolean", const: false }],
      default: [],
    }),
    OWNERS,
  ),
  check_timeout_s: key(integer("Seconds for each check", 120, 1, 3600), SMALLER),
  check_network: key(flag("Let checks reach the network from their sandbox", false), OFF),
  max_actions: key(
    integer("Most actions in one transaction; 0: by kind of project", 0, 0, 200),
    SMALLER_OR_0,
  ),
} satisfies Record<string, Key>);

/** A routine. */
export const RoutineEntry = entry("A task on a schedule", {
  name: Type.String({
    description: "Name to call it by; unique",
    examples: ["morning-tidy"],
    ...NAME_RULE,
  }),
  schedule: Type.String({
    description: "Cron expression of 5 or 6 fields",
    minLength: 1,
    maxLength: 200,
    examples: ["0 8 * * *"],
  }),
  timezone: text("IANA time zone of the schedule; empty: the machine's", "", "Europe/Berlin"),
  workspace: text("Name of a workspace; modes plan and apply need one", "", "site"),
  mode: choice("What the run may do", ["ask", "plan", "apply"], "plan"),
  task: Type.String({
    description: "What to do, in words",
    minLength: 1,
    maxLength: 20_000,
    examples: ["Add what a newcomer would miss"],
  }),
  channel: choice("Where the result goes", ["telegram", "terminal", "none"], "telegram"),
  misfire: choice("Runs that fell due while papa-yu was down", ["skip", "once", "all"], "once"),
  only_if_changed: Type.Unsafe<boolean | string>({
    description:
      'Skip the run when nothing changed since the last one: in the workspace; "glob:PATTERN": in these files of it; "url:ADDRESS": there',
    anyOf: [{ type: "boolean" }, { type: "string", pattern: "^(glob:.|url:https?://).{0,2000}$" }],
    default: true,
  }),
  enabled: flag("Run by schedule", true),
  max_runs_per_day: integer("Most runs a day (UTC); 0: no cap", 0, 0, 1440),
  max_tokens_per_day: integer("Most tokens a day (UTC); 0: no cap", 0, 0, 1_000_000_000),
  max_cost_per_day: money("Most a day may cost, in the currency of the prices; 0: no cap"),
  watch: text("Glob of workspace files; a change runs it, too; empty: none", ""),
  trigger_secret: secret("Lets POST /api/routines/NAME/trigger run it; empty: nobody", ""),
});

/** A server of tools. */
export const McpServer = entry("A server of the Model Context Protocol: command or url", {
  command: text("Program to start, which speaks on stdin and stdout", "", "npx"),
  args: Type.Array(Type.String({ maxLength: 4096 }), {
    description: "Its arguments",
    default: [],
    maxItems: 100,
    examples: [["-y", "@modelcontextprotocol/server-memory"]],
  }),
  env: references(
    'Variables beside PATH, HOME and their like, as texts, "env:NAME" or "file:PATH"',
    "^[A-Za-z_][A-Za-z0-9_]{0,99}$",
  ),
  cwd: text("Folder it runs in; empty: the folder of this file", ""),
  url: Type.String({
    description: "Address of a server that runs already (streamable HTTP)",
    default: "",
    pattern: "^(https?://\\S+)?$",
  }),
  bearer_token: secret("Token for its Authorization header; empty: none", ""),
  headers: references(
    "Headers of every request to url, in the same forms",
    "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$",
  ),
  allowed_tools: texts("Tools that may be used, by the server's own names; empty: all"),
  read_only_tools: texts("Tools that only read, so that calls need no approval"),
  timeout_s: integer("Seconds for its start and for each call", 60, 1, 3600),
  enabled: flag("Use it at all", true),
});
