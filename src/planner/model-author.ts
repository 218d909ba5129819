import type { Log } from "../core/log.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import { complete } from "../providers/complete.ts";
import type { Provider } from "../providers/provider.ts";
import type { Author } from "./author.ts";

/** A model behind a provider as author, asked for structured output by `schema`. */
export function createModelAuthor(
  provider: Provider,
  options: {
    /** Ask for structured output by the strict projection of the schema. */
    readonly strict: boolean;
    readonly temperature: number;
    /** How long its provider lets an answer be, for records; 0: nothing is set. */
    readonly tokenBudget: number;
    readonly log: Log;
  },
): Author {
  const { strict, temperature, tokenBudget, log } = options;
  return {
    name: provider.name,
    model: provider.model,
    strictJson: strict,
    tokenBudget,
    temperature,
    async answer({ messages, mode, version, signal }) {
      log("LLM_REQUEST_SENT", {
        mode,
        model: provider.model,
        provider: provider.name,
        schema_version: version,
        strict_json: strict,
        token_budget: tokenBudget,
        input_chars: messages.reduce((sum, message) => sum + message.content.length, 0),
      });
      const schema = strict ? await loadStrictSchema(version) : undefined;
      const { text, usage, servedBy, cut, failure } = await complete(provider, {
        messages,
        whole: true,
        temperature,
        signal,
        ...(schema && { schema: { name: "papayu_answer", schema } }),
      });
      if (failure) {
        if (failure.code === "LLM_REQUEST_TIMEOUT") log("LLM_REQUEST_TIMEOUT", { mode });
        const { code, message, isLasting } = failure;
        return { ok: false, code, message, ...(isLasting && { isLasting }) };
      }
      log("LLM_RESPONSE_OK", { mode, output_chars: text.length });
      return { ok: true, text, usage, servedBy, ...(cut && { cut }) };
    },
  };
}

/** Loaded with the first planning request, so that a start does not pay for it. */
async function loadStrictSchema(
  version: ProtocolVersion,
): Promise<Readonly<Record<string, unknown>>> {
  const [{ toStrictSchema }, { RESPONSE_SCHEMAS }] = await Promise.all([
    import("../protocol/schemas.ts"),
    import("../protocol/schemas.ts"),
  ]);
  return toStrictSchema(RESPONSE_SCHEMAS[version]);
}
