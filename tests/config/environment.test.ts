import { expect, test } from "bun:test";
import { loadFrom, problemsOf } from "./support.ts";

const SELECTED =
  '[default]\nprovider = "x"\n[providers.x]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n';

test("applyEnvironment() sets every key that has a variable", async () => {
  const { config, warnings, memoryAutopatch } = await loadFrom(SELECTED, {
    PAPAYU_LLM_API_URL: "http://127.0.0.1:2/v1",
    PAPAYU_LLM_API_KEY: "sk-secret",
    PAPAYU_LLM_MODEL: "big",
    PAPAYU_LLM_STRICT_JSON: "0",
    PAPAYU_LLM_MAX_TOKENS: "2048",
    PAPAYU_LLM_TEMPERATURE: "0.5",
    PAPAYU_LLM_TIMEOUT_SEC: "30",
    PAPAYU_PROTOCOL_DEFAULT: "1",
    PAPAYU_PROTOCOL_FALLBACK_TO_V1: "no",
    PAPAYU_NORMALIZE_EOL: "lf",
    PAPAYU_CONTEXT_MAX_FILES: "3",
    PAPAYU_CONTEXT_MAX_FILE_CHARS: "5000",
    PAPAYU_CONTEXT_MAX_TOTAL_CHARS: "9000",
    PAPAYU_TRACE: "false",
    PAPAYU_TRACE_RAW: "Yes",
    PAPAYU_ONLINE_RESEARCH: "1",
    PAPAYU_ONLINE_AUTO_USE_AS_CONTEXT: "TRUE",
    PAPAYU_ONLINE_MODEL: "small",
    PAPAYU_ONLINE_MAX_SOURCES: "2",
    PAPAYU_ONLINE_MAX_PAGES: "1",
    PAPAYU_ONLINE_PAGE_MAX_BYTES: "20000",
    PAPAYU_ONLINE_TIMEOUT_SEC: "6",
    PAPAYU_ONLINE_CONTEXT_MAX_CHARS: "300",
    PAPAYU_ONLINE_CONTEXT_MAX_SOURCES: "4",
    PAPAYU_TAVILY_API_KEY: "tvly-secret",
    PAPAYU_MEMORY_AUTOPATCH: "1",
  });
  expect(warnings.filter((warning) => !warning.endsWith("no effect in this version"))).toEqual([]);
  expect(memoryAutopatch).toBe(true);
  expect(config.providers["x"]).toEqual({
    base_url: "http://127.0.0.1:2/v1",
    api_key: "env:PAPAYU_LLM_API_KEY",
    model: "big",
    extract_model: "small",
    strict_json: false,
    max_tokens: 2048,
  });
  expect(config.default.temperature).toBe(0.5);
  expect(config.reliability.request_timeout_s).toBe(30);
  expect(config.protocol).toEqual({ version: 1, fallback_to_v1: false, normalize_eol: "lf" });
  expect(config.context).toMatchObject({
    max_files: 3,
    max_file_chars: 5000,
    max_total_chars: 9000,
  });
  expect(config.trace).toEqual({ enabled: false, raw: true });
  expect(config.online_research).toMatchObject({
    enabled: true,
    auto_use_as_context: true,
    api_key: "env:PAPAYU_TAVILY_API_KEY",
    max_sources: 2,
    max_pages: 1,
    page_max_bytes: 20_000,
    timeout_s: 6,
    context_max_chars: 300,
    context_max_sources: 4,
  });
});

test("applyEnvironment() prefers PAPAYU_PROTOCOL_VERSION to PAPAYU_PROTOCOL_DEFAULT", async () => {
  const env = { PAPAYU_PROTOCOL_VERSION: "3", PAPAYU_PROTOCOL_DEFAULT: "1" };
  expect((await loadFrom("", env)).config.protocol.version).toBe(3);
});

test.each([
  ["PAPAYU_CONTEXT_MAX_FILES", "9999", 200],
  ["PAPAYU_CONTEXT_MAX_FILES", "-5", 0],
  ["PAPAYU_CONTEXT_MAX_FILES", "9".repeat(400), 200],
])("applyEnvironment() clamps %s=%s with a warning", async (variable, text, expected) => {
  const { config, warnings } = await loadFrom("", { [variable]: text });
  expect(config.context.max_files).toBe(expected);
  expect(warnings).toEqual([expect.stringContaining(`out of range, ${expected} holds`)]);
});

test.each([
  ["PAPAYU_CONTEXT_MAX_FILES", "many", "an integer from 0 to 200"],
  ["PAPAYU_CONTEXT_MAX_FILES", "8.5", "an integer from 0 to 200"],
  ["PAPAYU_CONTEXT_MAX_FILES", "0x10", "an integer from 0 to 200"],
  ["PAPAYU_LLM_TEMPERATURE", "1e1", "a number from 0 to 2"],
  ["PAPAYU_LLM_TEMPERATURE", "NaN", "a number from 0 to 2"],
  ["PAPAYU_TRACE", "maybe", "true or false"],
  ["PAPAYU_MEMORY_AUTOPATCH", "2", "true or false"],
  ["PAPAYU_NORMALIZE_EOL", "crlf", 'one of "keep", "lf"'],
  ["PAPAYU_LLM_API_URL", "localhost", 'text such as "https://api.openai.com/v1"'],
])("applyEnvironment() refuses %s=%s", async (variable, text, allowed) => {
  const problems = await problemsOf("", "ERR_CONFIG_INVALID", { [variable]: text });
  const message = `found "${text}", allowed: ${allowed}`;
  expect(problems).toEqual([{ file: "environment", line: 0, key: variable, message }]);
});

test("applyEnvironment() reports junk together with what is wrong with the file", async () => {
  const file = '[default]\nprovider = "nobody"\n';
  const problems = await problemsOf(file, "ERR_CONFIG_INVALID", { PAPAYU_TRACE: "maybe" });
  expect(problems.map(({ key }) => key)).toEqual(["PAPAYU_TRACE", "default.provider"]);
});

test("applyEnvironment() takes an empty variable for one that is not set", async () => {
  const env = { PAPAYU_CONTEXT_MAX_FILES: "", PAPAYU_TRACE: " ", PAPAYU_LLM_API_KEY: "" };
  const { config } = await loadFrom("", env);
  expect(config.context.max_files).toBe(0);
  expect(config.default.provider).toBe("offline");
});

test.each([
  [{ PAPAYU_LLM_API_URL: "http://127.0.0.1:9/v1" }, "http://127.0.0.1:9/v1", "", "gpt-4o-mini"],
  [
    { PAPAYU_LLM_API_KEY: "sk-secret", PAPAYU_LLM_MODEL: "m" },
    "https://api.openai.com/v1",
    "env:PAPAYU_LLM_API_KEY",
    "m",
  ],
])(
  "applyEnvironment() makes and selects a provider of %j",
  async (env, base_url, api_key, model) => {
    const { config } = await loadFrom("", env);
    expect(config.default.provider).toBe("env");
    expect(config.providers["env"]).toMatchObject({ base_url, api_key, model });
  },
);

test("applyEnvironment() leaves providers alone that are not selected", async () => {
  const other = SELECTED.replace("providers.x", "providers.y").replace('"x"', '"offline"');
  const { config, warnings } = await loadFrom(other, { PAPAYU_LLM_MODEL: "big" });
  expect(config.default.provider).toBe("offline");
  expect(config.providers["y"]?.model).toBe("m");
  expect(warnings).toEqual(["PAPAYU_LLM_MODEL: no effect, no provider is selected"]);
});

test("applyEnvironment() writes through no name that reaches for the prototype", async () => {
  const env = { PAPAYU_LLM_MODEL: "big", PAPAYU_LLM_API_KEY: "sk-secret" };
  const file = '[default]\nprovider = "__proto__"\n';
  const problems = await problemsOf(file, "ERR_CONFIG_INVALID", env);
  expect(problems.map(({ key }) => key)).toEqual(["default.provider"]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
