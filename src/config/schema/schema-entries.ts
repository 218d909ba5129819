import { Type } from "typebox";
import {
  asProgram,
  BY_MODEL,
  BY_PERSON,
  type Deciding,
  documented,
  IN_FILE,
  key,
  NOT_TAKEN,
  secret,
} from "./schema-facts.ts";
import {
  choice,
  entry,
  flag,
  integer,
  money,
  NAME_RULE,
  price,
  references,
  text,
  texts,
  URL_RULE,
  urlOrNone,
} from "./schema-parts.ts";

/** What people add to a configuration themselves, each by its name. */

/** An endpoint that answers. */
export const Provider = entry("An OpenAI-compatible endpoint", {
  base_url: key(
    documented(Type.String({ ...URL_RULE }), {
      description: "Root of the API, up to and with /v1",
      examples: ["https://api.openai.com/v1"],
    }),
    NOT_TAKEN,
    BY_PERSON,
  ),
  api_key: key(
    text("Key of the endpoint; empty: none", "", "env:OPENAI_API_KEY"),
    NOT_TAKEN,
    secret(["base_url"]),
  ),
  model: key(
    documented(Type.String({ minLength: 1, maxLength: 200 }), {
      description: "Model to ask",
      examples: ["gpt-4o-mini"],
    }),
    NOT_TAKEN,
    BY_PERSON,
  ),
  extract_model: key(
    text("Cheaper model for page extraction; empty: model", ""),
    NOT_TAKEN,
    BY_PERSON,
  ),
  strict_json: key(flag("Ask for structured output by schema", true), NOT_TAKEN, BY_PERSON),
  max_tokens: key(
    documented(Type.Optional(Type.Integer({ minimum: 16, maximum: 1_000_000 })), {
      description: "Longest answer in tokens; absent: the endpoint's own limit",
      examples: [4096],
    }),
    NOT_TAKEN,
    BY_PERSON,
  ),
  context_tokens: key(
    documented(Type.Optional(Type.Integer({ minimum: 4096, maximum: 100_000_000 })), {
      description: "Tokens that question and answer may have; absent: as the model's name is known",
      examples: [32_768],
    }),
    NOT_TAKEN,
    BY_PERSON,
  ),
  price_input_per_mtok: key(
    price("Price of a million input tokens; absent: tokens only", 0.15),
    NOT_TAKEN,
    BY_PERSON,
  ),
  price_output_per_mtok: key(
    price("Price of a million output tokens; absent: tokens only", 0.6),
    NOT_TAKEN,
    BY_PERSON,
  ),
});

/** A routine. */
export const RoutineEntry = entry("A task on a schedule", {
  name: key(
    documented(Type.String(NAME_RULE), {
      description: "Name to call it by; unique",
      examples: ["morning-tidy"],
    }),
    NOT_TAKEN,
    BY_MODEL,
  ),
  schedule: key(
    documented(Type.String({ minLength: 1, maxLength: 200 }), {
      description: "Cron expression of 5 or 6 fields",
      examples: ["0 8 * * *"],
    }),
    NOT_TAKEN,
    BY_MODEL,
  ),
  timezone: key(
    text("IANA time zone of the schedule; empty: the machine's", "", "Europe/Berlin"),
    NOT_TAKEN,
    BY_MODEL,
  ),
  workspace: key(
    text("Name of a workspace; modes plan and apply need one", "", "site"),
    NOT_TAKEN,
    BY_MODEL,
  ),
  mode: key(choice("What the run may do", ["ask", "plan", "apply"], "plan"), NOT_TAKEN, BY_MODEL),
  task: key(
    documented(Type.String({ minLength: 1, maxLength: 20_000 }), {
      description: "What to do, in words",
      examples: ["Add what a newcomer would miss"],
    }),
    NOT_TAKEN,
    BY_MODEL,
  ),
  channel: key(
    choice("Where the result goes", ["telegram", "terminal", "none"], "telegram"),
    NOT_TAKEN,
    BY_MODEL,
  ),
  misfire: key(
    choice("Runs that fell due while papa-yu was down", ["skip", "once", "all"], "once"),
    NOT_TAKEN,
    BY_MODEL,
  ),
  only_if_changed: key(
    documented(
      Type.Unsafe<boolean | string>({
        anyOf: [
          { type: "boolean" },
          {
            type: "string",
            pattern: "^(glob:.|url:https?://).{0,2000}$",
            examples: ["glob:docs/**"],
          },
        ],
      }),
      {
        description:
          'Skip the run when nothing changed since the last one: in the workspace; "glob:PATTERN": in these files of it; "url:ADDRESS": there',
        default: true,
      },
    ),
    NOT_TAKEN,
    BY_MODEL,
  ),
  enabled: key(flag("Run by schedule", true), NOT_TAKEN, BY_MODEL),
  max_runs_per_day: key(
    integer("Most runs a day (UTC); 0: no cap", 0, 0, 1440),
    NOT_TAKEN,
    BY_MODEL,
  ),
  max_tokens_per_day: key(
    integer("Most tokens a day (UTC); 0: no cap", 0, 0, 1_000_000_000),
    NOT_TAKEN,
    BY_MODEL,
  ),
  max_cost_per_day: key(
    money("Most a day may cost, in the currency of the prices; 0: no cap"),
    NOT_TAKEN,
    BY_MODEL,
  ),
  watch: key(
    text("Glob of workspace files; a change runs it, too; empty: none", ""),
    NOT_TAKEN,
    BY_MODEL,
  ),
  trigger_secret: key(
    text("Lets POST /api/routines/NAME/trigger run it; empty: nobody", ""),
    NOT_TAKEN,
    secret(["name"]),
  ),
});

/**
 * All that a server is started with or reached by: with another argument or variable a program is
 * another one.
 */
const SERVER: Deciding = ["url", "command", "args", "env", "cwd"];

/** A server of tools. */
export const McpServer = entry(
  "A server of the Model Context Protocol: command or url",
  {
    command: key(
      text("Program to start, which speaks on stdin and stdout", "", "npx"),
      NOT_TAKEN,
      asProgram(BY_PERSON, SERVER),
    ),
    args: key(
      documented(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 100 }), {
        description: "Its arguments",
        default: [],
        examples: [["-y", "@modelcontextprotocol/server-memory"]],
      }),
      NOT_TAKEN,
      asProgram(BY_PERSON, SERVER),
    ),
    env: key(
      references('Variables besides PATH, HOME and the like, as texts, "env:NAME" or "file:PATH"', {
        pattern: "^[A-Za-z_][A-Za-z0-9_]{0,99}$",
        examples: ["LOG_LEVEL"],
      }),
      NOT_TAKEN,
      asProgram(secret(SERVER), SERVER),
    ),
    cwd: key(
      text("Folder it runs in; empty: the folder of this file", ""),
      NOT_TAKEN,
      asProgram(BY_PERSON, SERVER),
    ),
    url: key(
      // None first: the entry of a new file begins with the examples, and has a command.
      urlOrNone(
        "Address of a server that runs already (streamable HTTP)",
        "",
        "http://127.0.0.1:8931/mcp",
      ),
      NOT_TAKEN,
      BY_PERSON,
    ),
    bearer_token: key(
      text("Token for its Authorization header; empty: none", ""),
      NOT_TAKEN,
      secret(SERVER),
    ),
    headers: key(
      references("Headers of every request to url, in the same forms", {
        pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$",
        examples: ["X-Api-Key"],
      }),
      NOT_TAKEN,
      secret(SERVER),
    ),
    allowed_tools: key(
      texts("Tools that may be used, by the server's own names; empty: all"),
      NOT_TAKEN,
      BY_PERSON,
    ),
    read_only_tools: key(
      texts("Tools that only read, so that calls need no approval"),
      NOT_TAKEN,
      BY_PERSON,
    ),
    tools_sha256: key(
      documented(Type.String({ pattern: "^(?:[0-9a-f]{64})?$" }), {
        description:
          "SHA-256 of its list of tools, which is your own word as long as it is this one; empty: strangers' text",
        default: "",
        // None first, as of url.
        examples: ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
      }),
      NOT_TAKEN,
      IN_FILE,
    ),
    timeout_s: key(
      integer("Seconds for its start and for each call", 60, 1, 3600),
      NOT_TAKEN,
      BY_PERSON,
    ),
    enabled: key(flag("Use it at all", true), NOT_TAKEN, BY_PERSON),
  },
  "tools.md#mcp-servers",
);
