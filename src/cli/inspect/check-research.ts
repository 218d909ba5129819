import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveKey } from "../../config/secret.ts";
import { toAppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import type { DoctorWords } from "../../texts/doctor/doctor.ts";
import type { Caller } from "../context.ts";

/** What the search is asked to see whether it answers. */
const QUESTION = "papa-yu";

/** Research on the web: whether its service answers, with its key, and whether anything can use it. */
export async function checkResearch(
  { config, userHome }: LoadedConfig,
  env: Caller["env"],
  { joins, research: words, secret }: DoctorWords,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { enabled, auto_use_as_context, search: service, ...settings } = config.online_research;
  if (!enabled) {
    return [
      auto_use_as_context
        ? finding("warning", words.autoUseAlone, words.autoUseMend)
        : finding("ok", words.off, words.how),
    ];
  }
  const key = resolveKey(settings.api_key, { env, home: userHome });
  if (!key.ok && service !== "searxng")
    return [finding("failed", words.noKey(service), secret(key.message))];
  const rest =
    config.default.provider === "offline"
      ? [finding("warning", words.noReader, words.readerMend)]
      : [];
  return [await ask(), ...rest];

  async function ask(): Promise<Finding> {
    try {
      const { createSearch } = await import("../../research/create-search.ts");
      const search = createSearch({
        service,
        baseUrl: settings.base_url,
        apiKey: () => (key.ok ? key.value : undefined),
        timeoutMs: settings.timeout_s * 1000,
      });
      const answer = await search.search(QUESTION, { limit: 1, signal });
      if (!answer.ok) return finding("failed", answer.message, words.fix);
      const autoUse = auto_use_as_context ? [words.atOnce] : [];
      return finding("ok", joins.facts([words.answers(service), ...autoUse]));
    } catch (error) {
      return finding("failed", toAppError(error).message, words.fix);
    }
  }
}

function finding(state: Finding["state"], found: string, mend = ""): Finding {
  return { name: "research", state, found: toVisibleText(found), mend };
}
