import { expect, test } from "bun:test";
import { toContextLimits } from "../../src/daemon/app/context-limits.ts";

const CONTEXT = {
  max_files: 0,
  max_file_chars: 20_000,
  max_total_chars: 120_000,
  max_log_chars: 12_000,
};
const provider = (model: string, more: { context_tokens?: number; max_tokens?: number } = {}) => ({
  base_url: "http://127.0.0.1:1/v1",
  api_key: "",
  model,
  extract_model: "",
  strict_json: true,
  ...more,
});

function limitsOf(
  providers: Parameters<typeof toContextLimits>[0]["providers"],
  context: Partial<typeof CONTEXT> = {},
) {
  const [first = "offline", ...others] = Object.keys(providers);
  return toContextLimits({
    context: { ...CONTEXT, ...context },
    default: { provider: first, temperature: 0, language: "en" },
    providers,
    reliability: {
      max_retries: 0,
      initial_backoff_ms: 10,
      request_timeout_s: 1,
      fallback_providers: others,
    },
  });
}

test("a model whose window nobody knows is shown what the configuration says", () => {
  expect(limitsOf({ local: provider("qwen2.5-coder:7b") })).toEqual({
    maxFiles: 30,
    maxFileChars: 20_000,
    maxTotalChars: 120_000,
    maxLogChars: 12_000,
  });
  expect(limitsOf({})).toMatchObject({ maxFiles: 30, maxTotalChars: 120_000 });
  expect(limitsOf({ large: provider("gpt-4.1") })).toMatchObject({ maxTotalChars: 120_000 });
});

test("a small window holds whatever the configuration says, and the smallest of a chain counts", () => {
  const small = { maxFiles: 2, maxFileChars: 10_932, maxTotalChars: 10_932, maxLogChars: 10_932 };
  expect(limitsOf({ old: provider("gpt-4") })).toEqual(small);
  expect(limitsOf({ new: provider("gpt-4o"), old: provider("gpt-4") })).toEqual(small);
  const set = provider("qwen2.5-coder:7b", { context_tokens: 32_768, max_tokens: 4096 });
  expect(limitsOf({ set })).toMatchObject({ maxFiles: 19, maxTotalChars: 78_516 });
  expect(limitsOf({ set: provider("gpt-4", { context_tokens: 32_768 }) })).toMatchObject({
    maxTotalChars: 66_228,
  });
});

test("max_files that is set holds beside the window, and a larger total is taken where it fits", () => {
  expect(limitsOf({ old: provider("gpt-4") }, { max_files: 1 }).maxFiles).toBe(1);
  const wide = limitsOf({ wide: provider("gpt-4o") }, { max_total_chars: 4_000_000 });
  expect(wide).toMatchObject({ maxFiles: 82, maxTotalChars: 328_500 });
});
