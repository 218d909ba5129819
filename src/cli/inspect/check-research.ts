import type { LoadedConfig } from "../../config/load/load.ts";
import { resolveSecret } from "../../config/secret.ts";
import { toAppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Finding } from "../../daemon/run-doctor.ts";
import type { Caller } from "../context.ts";

/** What the search is asked to see whether it answers. */
const QUESTION = "papa-yu";

/** Research on the web: whether its service answers, with its key, and whether anything can use it. */
export async function checkResearch(
  { config, userHome }: LoadedConfig,
  env: Caller["env"],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { enabled, auto_use_as_context, search: service, ...settings } = config.online_research;
  if (!enabled) {
    return [auto_use_as_context ? AUTO_USE_ALONE : finding("ok", "off", HOW)];
  }
  const key = resolveSecret(settings.api_key, { env, home: userHome });
  if (!key.ok && service !== "searxng")
    return [finding("failed", `${service}: no key`, key.message)];
  const rest = config.default.provider === "offline" ? [NO_MODEL] : [];
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
      const autoUse = auto_use_as_context ? "; findings are used at once" : "";
      if (answer.ok) return finding("ok", `${service} answers${autoUse}`);
      return finding("failed", answer.message, MEND);
    } catch (error) {
      return finding("failed", toAppError(error).message, MEND);
    }
  }
}

const HOW = "docs/research.md says how to switch it on";
const MEND = "fix [online_research], or set enabled = false";

const AUTO_USE_ALONE = finding(
  "warning",
  "off, though auto_use_as_context is on: it does nothing",
  "set online_research.enabled = true, or auto_use_as_context = false",
);

const NO_MODEL = finding(
  "warning",
  "no model reads what is found: plans and chats work by the built-in rules",
  "set default.provider",
);

function finding(state: Finding["state"], found: string, mend = ""): Finding {
  return { name: "research", state, found: toVisibleText(found), mend };
}
