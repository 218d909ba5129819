import { type Static, Type } from "typebox";
import { McpServer, Provider, RoutineEntry, WorkspaceEntry } from "./schema-entries.ts";
import {
  FEWER,
  FOLDERS,
  key,
  listed,
  MORE,
  OFF,
  ON,
  OWNERS,
  SMALLER,
  SMALLER_BUT_0,
  SMALLER_OR_0,
} from "./schema-facts.ts";
import {
  choice,
  flag,
  integer,
  money,
  NAME_RULE,
  secret,
  table,
  text,
  texts,
  url,
  whole,
} from "./schema-parts.ts";
import { Telegram, Transcription } from "./schema-telegram.ts";

/**
 * The configuration as TypeBox: the types below, and by `bun run schemas` the file
 * `schemas/config.schema.json`, which is what runs and what editors read. At run time nothing
 * imports this module but for its types.
 */

/** The whole configuration file. */
export const ConfigSchema = Type.Object(
  whole({
    default: table("What holds unless something more special is said", {
      provider: key(
        text('A [providers.NAME], or "offline": built-in rules, no model', "offline"),
        OWNERS,
      ),
      temperature: key(
        Type.Number({
          description: "Sampling temperature",
          default: 0.2,
          minimum: 0,
          maximum: 2,
        }),
        OWNERS,
      ),
      language: key(choice("Language of the interface", ["en", "ru", "zh"], "en"), OWNERS),
    }),
    providers: key(
      Type.Unsafe<Record<string, Static<typeof Provider>>>({
        description: "Endpoints by name",
        type: "object",
        default: {},
        propertyNames: { ...NAME_RULE, examples: ["openai"] },
        additionalProperties: Provider,
      }),
      OWNERS,
    ),
    reliability: table("Retries and fallbacks of model requests", {
      max_retries: key(integer("Retries of one request", 3, 0, 10), SMALLER),
      initial_backoff_ms: key(
        integer("Wait before the first retry; doubles", 500, 10, 60_000),
        OWNERS,
      ),
      request_timeout_s: key(
        integer(
          "Seconds without progress until a request is given up; a whole answer may take four times as long",
          90,
          1,
          3600,
        ),
        SMALLER,
      ),
      fallback_providers: key(texts("Providers tried in order when the first fails"), OWNERS),
    }),
    security: table("What may happen without a question, and what never", {
      autonomy: key(
        choice(
          "Effects are denied, need an approval, or need none",
          ["readonly", "supervised", "full"],
          "supervised",
        ),
        listed("readonly", "supervised", "full"),
      ),
      allowed_commands: key(
        texts(
          "Commands the shell tool may run",
          "ls cat grep find echo pwd git head tail wc".split(" "),
        ),
        FEWER,
      ),
      workspace_only: key(flag("Keep reads and commands inside the workspaces", true), ON),
      http_allowed_hosts: key(
        texts('Private hosts the HTTP tools may reach: exact, or ".suffix"'),
        FEWER,
      ),
      injection_check: key(
        Type.Unsafe<boolean | "block" | "warn" | "review">({
          description:
            "What is done about orders hidden in what is read: left out, marked, or only logged; true: warn; false: not looked for",
          anyOf: [{ type: "boolean" }, { type: "string", enum: ["block", "warn", "review"] }],
          default: true,
        }),
        listed("block", "warn", true, "review", false),
      ),
      http_strip_threshold_kb: key(
        integer(
          "Stripped HTML above this is extracted or cut; 0: no strip, raw body",
          200,
          0,
          1024,
        ),
        OWNERS,
      ),
      protected_paths: key(texts("Globs added to the built-in list of protected paths"), MORE),
      sandbox: key(
        choice(
          "Sandbox of checks: where it works, always, or never",
          ["auto", "bwrap", "none"],
          "auto",
        ),
        listed("bwrap", "auto", "none"),
      ),
    }),
    sandbox: table("What a check or a command may use up, with all it starts", {
      max_processes: key(integer("Most processes at once", 512, 16, 32_768), SMALLER),
      max_memory_mb: key(
        integer("Megabytes of memory; 0: half of the machine's", 0, 0, 10_000_000),
        SMALLER_OR_0,
      ),
      max_disk_mb: key(integer("Megabytes of disk over the start", 2048, 1, 10_000_000), SMALLER),
    }),
    protocol: table("How model answers are asked for and read", {
      version: key(integer("Protocol version", 2, 1, 3), OWNERS),
      fallback_to_v1: key(flag("Ask again under v1 when patches do not fit", true), OWNERS),
      normalize_eol: key(choice("Line ends of new content", ["keep", "lf"], "keep"), OWNERS),
    }),
    context: table("How much of a workspace a model is shown", {
      max_files: key(integer("Most files", 8, 1, 200), SMALLER),
      max_file_chars: key(integer("Most characters of one file", 20_000, 1000, 1_000_000), SMALLER),
      max_total_chars: key(
        integer("Most characters of everything", 120_000, 4000, 4_000_000),
        SMALLER,
      ),
      max_log_chars: key(integer("Most characters of logs", 12_000, 0, 1_000_000), SMALLER),
    }),
    agent: table("Limits of one turn and one day", {
      max_tool_iterations: key(
        integer("Iterations with at least one success", 10, 1, 1000),
        SMALLER,
      ),
      max_failed_rounds: key(integer("Rounds in which every call failed", 3, 1, 100), SMALLER),
      max_consecutive_tool_failures: key(
        integer("Failures until a tool is withdrawn", 2, 1, 100),
        SMALLER,
      ),
      turn_timeout_s: key(integer("Seconds for one turn", 600, 1, 86_400), SMALLER),
      max_tokens_per_day: key(
        integer("Tokens a day; 0: no cap", 0, 0, 10_000_000_000),
        SMALLER_BUT_0,
      ),
      max_cost_per_day: key(
        money("Cost a day in the currency of the prices; 0: no cap"),
        SMALLER_BUT_0,
      ),
    }),
    online_research: table("Research on the web when a plan needs it", {
      enabled: key(flag("Allow research", false), OFF),
      auto_use_as_context: key(flag("Plan again at once with what was found", false), OFF),
      search: key(choice("Search service", ["tavily", "searxng", "brave"], "tavily"), OWNERS),
      api_key: key(secret("Key of the search service", "env:PAPAYU_TAVILY_API_KEY"), OWNERS),
      base_url: key(
        Type.String({
          description: "Root of the search service; empty: its public one",
          default: "",
          pattern: "^(https?://\\S+)?$",
          examples: ["http://127.0.0.1:8080"],
        }),
        OWNERS,
      ),
      max_sources: key(integer("Search results looked at", 5, 1, 20), SMALLER),
      max_pages: key(integer("Pages fetched", 4, 1, 10), SMALLER),
      page_max_bytes: key(integer("Bytes of one page", 200_000, 10_000, 500_000), SMALLER),
      timeout_s: key(integer("Seconds for one request", 20, 5, 60), SMALLER),
      context_max_chars: key(integer("Characters handed to the plan", 8000, 256, 32_000), SMALLER),
      context_max_sources: key(integer("Sources handed to the plan", 10, 1, 20), SMALLER),
    }),
    places: table("Services behind the places tool", {
      nominatim_url: key(url("Geocoder", "https://nominatim.openstreetmap.org"), OWNERS),
      overpass_url: key(url("Map queries", "https://overpass-api.de/api/interpreter"), OWNERS),
    }),
    mcp: table("Tools of other programs", {
      servers: key(
        Type.Unsafe<Record<string, Static<typeof McpServer>>>({
          description: "Servers by name",
          type: "object",
          default: {},
          // Two underscores separate server and tool in a tool's name.
          propertyNames: { pattern: "^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$", maxLength: 32 },
          additionalProperties: McpServer,
        }),
        OWNERS,
      ),
    }),
    telegram: Telegram,
    transcription: Transcription,
    http: table("Local API and dashboard", {
      enabled: key(flag("Listen at all", true), OWNERS),
      host: key(text("Address to listen on; loopback unless told otherwise", "127.0.0.1"), OWNERS),
      port: key(integer("Port to listen on; 0: one that is free", 7411, 0, 65_535), OWNERS),
      token: key(secret("Bearer token, made at first start", "file:~/.papa-yu/http.token"), OWNERS),
    }),
    trace: table("Records of what was asked and answered", {
      enabled: key(flag("Write traces", true), OWNERS),
      raw: key(flag("Keep raw model output, secrets masked", false), OFF),
    }),
    undo: table("What is kept to take changes back, in each workspace; the oldest goes first", {
      keep_days: key(integer("Days a change can be undone; 0: no limit", 90, 0, 36_500), OWNERS),
      keep_mb: key(integer("Megabytes for old contents; 0: no limit", 512, 0, 10_000_000), OWNERS),
    }),
    workspaces: key(
      Type.Array(WorkspaceEntry, {
        description: "Folders by name",
        default: [],
        maxItems: 1000,
      }),
      FOLDERS,
    ),
    routines: table("Work on a schedule", {
      jobs: key(
        Type.Array(RoutineEntry, { description: "Routines", default: [], maxItems: 1000 }),
        OWNERS,
      ),
    }),
  }),
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "papa-yu configuration",
    additionalProperties: false,
    required: [],
  },
);

/** The configuration with every default filled in; names are those of the file. */
export type Config = Static<typeof ConfigSchema>;
