import { type Static, Type } from "typebox";
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
  table,
  text,
  texts,
  URL_RULE,
  url,
} from "./schema-parts.ts";
import { Telegram, Transcription } from "./schema-telegram.ts";

/**
 * The configuration as TypeBox: the types below, and by `bun run schemas` the file
 * `schemas/config.schema.json`, which is what runs and what editors read. At run time nothing
 * imports this module but for its types.
 */

const Provider = entry("An OpenAI-compatible endpoint", {
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

const WorkspaceEntry = entry("A folder that papa-yu may work in", {
  name: Type.String({
    description: "Name to call it by; unique",
    examples: ["site"],
    ...NAME_RULE,
  }),
  path: Type.String({
    description: "The folder: absolute, from ~/, or relative to this file",
    minLength: 1,
    maxLength: 4096,
    examples: ["~/projects/site"],
  }),
  check: Type.Unsafe<string[][] | false>({
    description:
      'Commands that must pass after an apply, as [["bun", "test"]]; []: detected; false: none',
    anyOf: [Type.Array(Command, { maxItems: 20 }), { type: "boolean", const: false }],
    default: [],
  }),
  check_timeout_s: integer("Seconds for each check", 120, 1, 3600),
  check_network: flag("Let checks reach the network from their sandbox", false),
  max_actions: integer("Most actions in one transaction; 0: by kind of project", 0, 0, 200),
});

const RoutineEntry = entry("A task on a schedule", {
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

const McpServer = entry("A server of the Model Context Protocol: command or url", {
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

/** The whole configuration file. */
export const ConfigSchema = Type.Object(
  {
    default: table("What holds unless something more special is said", {
      provider: text('A [providers.NAME], or "offline": built-in rules, no model', "offline"),
      temperature: Type.Number({
        description: "Sampling temperature",
        default: 0.2,
        minimum: 0,
        maximum: 2,
      }),
      language: choice("Language of the interface", ["en", "ru", "zh"], "en"),
    }),
    providers: Type.Unsafe<Record<string, Static<typeof Provider>>>({
      description: "Endpoints by name",
      type: "object",
      default: {},
      propertyNames: { ...NAME_RULE, examples: ["openai"] },
      additionalProperties: Provider,
    }),
    reliability: table("Retries and fallbacks of model requests", {
      max_retries: integer("Retries of one request", 3, 0, 10),
      initial_backoff_ms: integer("Wait before the first retry; doubles", 500, 10, 60_000),
      request_timeout_s: integer("Seconds until a request is given up", 90, 1, 3600),
      fallback_providers: texts("Providers tried in order when the first fails"),
    }),
    security: table("What may happen without a question, and what never", {
      autonomy: choice(
        "Effects are denied, need an approval, or need none",
        ["readonly", "supervised", "full"],
        "supervised",
      ),
      allowed_commands: texts(
        "Commands the shell tool may run",
        "ls cat grep find echo pwd git head tail wc".split(" "),
      ),
      workspace_only: flag("Keep reads and commands inside the workspaces", true),
      http_allowed_hosts: texts('Private hosts the HTTP tools may reach: exact, or ".suffix"'),
      injection_check: Type.Unsafe<boolean | "block" | "warn" | "review">({
        description:
          "What is done about orders hidden in what is read: left out, marked, or only logged; true: warn; false: not looked for",
        anyOf: [{ type: "boolean" }, { type: "string", enum: ["block", "warn", "review"] }],
        default: true,
      }),
      http_strip_threshold_kb: integer(
        "Stripped HTML above this is extracted or cut; 0: no strip, raw body",
        200,
        0,
        1024,
      ),
      protected_paths: texts("Globs added to the built-in list of protected paths"),
      sandbox: choice(
        "Sandbox of checks: where it works, always, or never",
        ["auto", "bwrap", "none"],
        "auto",
      ),
    }),
    protocol: table("How model answers are asked for and read", {
      version: integer("Protocol version", 2, 1, 3),
      fallback_to_v1: flag("Ask again under v1 when patches do not fit", true),
      normalize_eol: choice("Line ends of new content", ["keep", "lf"], "keep"),
    }),
    context: table("How much of a workspace a model is shown", {
      max_files: integer("Most files", 8, 1, 200),
      max_file_chars: integer("Most characters of one file", 20_000, 1000, 1_000_000),
      max_total_chars: integer("Most characters of everything", 120_000, 4000, 4_000_000),
      max_log_chars: integer("Most characters of logs", 12_000, 0, 1_000_000),
    }),
    agent: table("Limits of one turn and one day", {
      max_tool_iterations: integer("Iterations with at least one success", 10, 1, 1000),
      max_failed_rounds: integer("Rounds in which every call failed", 3, 1, 100),
      max_consecutive_tool_failures: integer("Failures until a tool is withdrawn", 2, 1, 100),
      turn_timeout_s: integer("Seconds for one turn", 600, 1, 86_400),
      max_tokens_per_day: integer("Tokens a day; 0: no cap", 0, 0, 10_000_000_000),
      max_cost_per_day: money("Cost a day in the currency of the prices; 0: no cap"),
    }),
    online_research: table("Research on the web when a plan needs it", {
      enabled: flag("Allow research", false),
      auto_use_as_context: flag("Plan again at once with what was found", false),
      search: choice("Search service", ["tavily", "searxng", "brave"], "tavily"),
      api_key: secret("Key of the search service", "env:PAPAYU_TAVILY_API_KEY"),
      base_url: Type.String({
        description: "Root of the search service; empty: its public one",
        default: "",
        pattern: "^(https?://\\S+)?$",
        examples: ["http://127.0.0.1:8080"],
      }),
      max_sources: integer("Search results looked at", 5, 1, 20),
      max_pages: integer("Pages fetched", 4, 1, 10),
      page_max_bytes: integer("Bytes of one page", 200_000, 10_000, 500_000),
      timeout_s: integer("Seconds for one request", 20, 5, 60),
      context_max_chars: integer("Characters handed to the plan", 8000, 256, 32_000),
      context_max_sources: integer("Sources handed to the plan", 10, 1, 20),
    }),
    places: table("Services behind the places tool", {
      nominatim_url: url("Geocoder", "https://nominatim.openstreetmap.org"),
      overpass_url: url("Map queries", "https://overpass-api.de/api/interpreter"),
    }),
    mcp: table("Tools of other programs", {
      servers: Type.Unsafe<Record<string, Static<typeof McpServer>>>({
        description: "Servers by name",
        type: "object",
        default: {},
        // Two underscores separate server and tool in a tool's name.
        propertyNames: { pattern: "^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$", maxLength: 32 },
        additionalProperties: McpServer,
      }),
    }),
    telegram: Telegram,
    transcription: Transcription,
    http: table("Local API and dashboard", {
      enabled: flag("Listen at all", true),
      host: text("Address to listen on; loopback unless told otherwise", "127.0.0.1"),
      port: integer("Port to listen on; 0: one that is free", 7411, 0, 65_535),
      token: secret("Bearer token, made at first start", "file:~/.papa-yu/http.token"),
    }),
    trace: table("Records of what was asked and answered", {
      enabled: flag("Write traces", true),
      raw: flag("Keep raw model output, secrets masked", false),
    }),
    undo: table("What is kept to take changes back, in each workspace; the oldest goes first", {
      keep_days: integer("Days a change can be undone; 0: no limit", 90, 0, 36_500),
      keep_mb: integer("Megabytes for old contents; 0: no limit", 512, 0, 10_000_000),
    }),
    workspaces: Type.Array(WorkspaceEntry, {
      description: "Folders by name",
      default: [],
      maxItems: 1000,
    }),
    routines: table("Work on a schedule", {
      jobs: Type.Array(RoutineEntry, { description: "Routines", default: [], maxItems: 1000 }),
    }),
  },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "papa-yu configuration",
    additionalProperties: false,
    required: [],
  },
);

/** The configuration with every default filled in; names are those of the file. */
export type Config = Static<typeof ConfigSchema>;
