import { type Static, Type } from "typebox";
import { McpServer, Provider, RoutineEntry } from "./schema-entries.ts";
import {
  asGate,
  atStart,
  BY_MODEL,
  BY_PERSON,
  documented,
  FOLDERS,
  key,
  NOT_TAKEN,
  OFF,
  SMALLER,
  SMALLER_BUT_0,
  SMALLER_OR_0,
  secret,
} from "./schema-facts.ts";
import {
  choice,
  flag,
  integer,
  money,
  NAME_RULE,
  PUBLIC_URL,
  table,
  text,
  texts,
  url,
  whole,
} from "./schema-parts.ts";
import { OnlineResearch } from "./schema-research.ts";
import { Retention } from "./schema-retention.ts";
import { Sandbox, Security } from "./schema-security.ts";
import { Telegram, Transcription } from "./schema-telegram.ts";
import { WorkspaceEntry } from "./schema-workspace.ts";

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
        NOT_TAKEN,
        BY_PERSON,
      ),
      temperature: key(
        documented(Type.Number({ minimum: 0, maximum: 2 }), {
          description: "Sampling temperature",
          default: 0.2,
        }),
        NOT_TAKEN,
        BY_MODEL,
      ),
      language: key(
        choice("Language of the interface", ["en", "ru", "zh"], "en"),
        NOT_TAKEN,
        BY_MODEL,
      ),
    }),
    providers: key(
      documented(
        Type.Unsafe<Record<string, Static<typeof Provider>>>({
          type: "object",
          propertyNames: { ...NAME_RULE, examples: ["openai"] },
          additionalProperties: Provider,
        }),
        { description: "Endpoints by name", default: {} },
      ),
      NOT_TAKEN,
      BY_PERSON,
    ),
    reliability: table("Retries and fallbacks of model requests", {
      max_retries: key(integer("Retries of one request", 3, 0, 10), SMALLER, BY_PERSON),
      initial_backoff_ms: key(
        integer("Wait before the first retry; doubles", 500, 10, 60_000),
        NOT_TAKEN,
        BY_PERSON,
      ),
      request_timeout_s: key(
        integer(
          "Seconds without progress until a request is given up; a whole answer may take four times as long",
          90,
          1,
          3600,
        ),
        SMALLER,
        BY_PERSON,
      ),
      fallback_providers: key(
        texts("Providers tried in order when the first fails"),
        NOT_TAKEN,
        BY_PERSON,
      ),
    }),
    security: Security,
    sandbox: Sandbox,
    protocol: table("How model answers are asked for and read", {
      version: key(integer("Protocol version", 2, 1, 3), NOT_TAKEN, BY_MODEL),
      fallback_to_v1: key(
        flag("Ask again under v1 when patches do not fit", true),
        NOT_TAKEN,
        BY_MODEL,
      ),
      normalize_eol: key(
        choice("Line ends of new content", ["keep", "lf"], "keep"),
        NOT_TAKEN,
        BY_MODEL,
      ),
    }),
    context: table("How much of a workspace a model is shown", {
      max_files: key(
        integer(
          "Most files of one request; 0: as many as the model's window and max_total_chars hold",
          0,
          0,
          200,
        ),
        SMALLER_OR_0,
        BY_MODEL,
      ),
      max_file_chars: key(
        integer("Most characters of one file", 20_000, 1000, 1_000_000),
        SMALLER,
        BY_MODEL,
      ),
      max_total_chars: key(
        integer("Most characters of everything", 120_000, 4000, 4_000_000),
        SMALLER,
        BY_MODEL,
      ),
      max_log_chars: key(
        integer("Most characters of logs", 12_000, 0, 1_000_000),
        SMALLER,
        BY_MODEL,
      ),
    }),
    agent: table("Limits of one turn and one day", {
      max_tool_iterations: key(
        integer("Iterations with at least one success", 10, 1, 1000),
        SMALLER,
        BY_PERSON,
      ),
      max_failed_rounds: key(
        integer("Rounds in which every call failed", 3, 1, 100),
        SMALLER,
        BY_PERSON,
      ),
      max_consecutive_tool_failures: key(
        integer(
          "Rounds of calls in a row in which a tool is out of order until it is withdrawn",
          2,
          1,
          100,
        ),
        SMALLER,
        BY_PERSON,
      ),
      max_fix_rounds: key(
        integer("Corrections of a change set whose checks fail in a view; 0: none", 2, 0, 10),
        SMALLER,
        BY_PERSON,
      ),
      turn_timeout_s: key(integer("Seconds for one turn", 600, 1, 86_400), SMALLER, BY_PERSON),
      max_parallel_turns: key(
        integer(
          "Messages to the bot that are answered at a time, each of another chat",
          16,
          1,
          1024,
        ),
        SMALLER,
        BY_PERSON,
      ),
      max_tokens_per_day: key(
        integer("Tokens a day; 0: no cap", 0, 0, 10_000_000_000),
        SMALLER_BUT_0,
        BY_PERSON,
      ),
      max_cost_per_day: key(
        money("Cost a day in the currency of the prices; 0: no cap"),
        SMALLER_BUT_0,
        BY_PERSON,
      ),
    }),
    online_research: OnlineResearch,
    places: table("Services behind the places tool", {
      nominatim_url: key(
        url("Geocoder", "https://nominatim.openstreetmap.org"),
        NOT_TAKEN,
        BY_PERSON,
      ),
      overpass_url: key(
        url("Map queries", "https://overpass-api.de/api/interpreter"),
        NOT_TAKEN,
        BY_PERSON,
      ),
    }),
    mcp: table("Tools of other programs", {
      servers: key(
        documented(
          Type.Unsafe<Record<string, Static<typeof McpServer>>>({
            type: "object",
            // Two underscores separate server and tool in a tool's name.
            propertyNames: {
              description:
                "made of letters and digits, joined by single `_` or `-`, 32 characters at most",
              pattern: "^[A-Za-z0-9]+([_-][A-Za-z0-9]+)*$",
              maxLength: 32,
            },
            additionalProperties: McpServer,
          }),
          { description: "Servers by name", default: {} },
        ),
        NOT_TAKEN,
        BY_PERSON,
      ),
    }),
    telegram: Telegram,
    transcription: Transcription,
    http: table("Local API and dashboard", {
      enabled: key(flag("Listen at all", true), NOT_TAKEN, atStart(BY_PERSON)),
      host: key(
        text("Address to listen on; loopback unless told otherwise", "127.0.0.1"),
        NOT_TAKEN,
        asGate(atStart(BY_PERSON)),
      ),
      port: key(
        integer("Port to listen on; 0: one that is free", 7411, 0, 65_535),
        NOT_TAKEN,
        atStart(BY_PERSON),
      ),
      token: key(
        text("Bearer token, made at first start", "file:~/.papa-yu/http.token"),
        NOT_TAKEN,
        asGate(atStart(secret("nowhere"))),
      ),
      public_url: key(
        documented(Type.String({ pattern: PUBLIC_URL }), {
          description: "https address of your own proxy or tunnel, for pages that Telegram opens",
          seeAlso: "http.md#by-the-public-host",
          default: "",
          examples: ["https://papayu.example.org"],
        }),
        NOT_TAKEN,
        asGate(atStart(BY_PERSON)),
      ),
    }),
    trace: table("Records of what was asked and answered", {
      enabled: key(flag("Write traces", true), NOT_TAKEN, BY_MODEL),
      raw: key(flag("Keep raw model output, secrets masked", false), OFF, BY_MODEL),
    }),
    retention: Retention,
    workspaces: key(
      documented(Type.Array(WorkspaceEntry, { maxItems: 1000 }), {
        description: "Folders by name",
        default: [],
      }),
      FOLDERS,
      BY_PERSON,
    ),
    routines: table("Work on a schedule", {
      jobs: key(
        documented(Type.Array(RoutineEntry, { maxItems: 1000 }), {
          description: "Routines",
          default: [],
        }),
        NOT_TAKEN,
        BY_MODEL,
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
