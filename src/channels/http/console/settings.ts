import { misuse, refuse } from "../refuse.ts";
import type { SettingsFacts, SettingsRefusal } from "./facts.ts";
import { sendFound } from "./found.ts";

/** What is asked for, and by whom. */
interface AskedSetting {
  readonly method: string;
  readonly path: string;
  readonly body: () => Promise<string | Response>;
  /** A program, or a browser that was let in a moment ago. */
  readonly isFresh: boolean;
}

/** The configuration of the owner; undefined: the path asks for nothing of it. */
export async function answerSettings(
  facts: SettingsFacts,
  { method, path, body, isFresh }: AskedSetting,
): Promise<Response | undefined> {
  if (method === "GET" && path === "/api/settings/config") return sendFound(await facts.read());
  if (method === "GET" && path === "/api/settings/keys") return sendFound({ keys: facts.keys() });
  if (method !== "POST" || !path.startsWith("/api/settings/config")) return undefined;
  const isSaved = path === "/api/settings/config";
  if (isSaved && !isFresh) return refuse(403, (say) => say.signInAgain);
  const said = await body();
  if (typeof said !== "string") return said;
  const { text, digest, key } = parse(said);
  if (path === "/api/settings/config/key" && text !== undefined && key !== undefined) {
    return answer(await facts.insert(text, key));
  }
  if (text === undefined || digest === undefined) return misuse(400, 'send {"text", "digest"}');
  if (path === "/api/settings/config/check") return answer(await facts.check(text, digest));
  return isSaved ? answer(await facts.save(text, digest)) : undefined;
}

function parse(body: string): Readonly<Record<"text" | "digest" | "key", string | undefined>> {
  const none = { text: undefined, digest: undefined, key: undefined };
  try {
    const value: unknown = JSON.parse(body);
    const { text, digest, key } = { ...none, ...(typeof value === "object" ? value : {}) };
    return { text: textOf(text), digest: textOf(digest), key: textOf(key) };
  } catch {
    return none;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

type Found = Readonly<Record<string, unknown>>;

function isRefusal(found: Found | SettingsRefusal): found is SettingsRefusal {
  return "refused" in found;
}

function answer(found: Found | SettingsRefusal): Response {
  if (!isRefusal(found)) return sendFound(found);
  const { refused, say, problems } = found;
  return refuse(STATUS[refused], say, problems && ((said) => ({ problems: problems(said) })));
}

const STATUS = { stale: 409, invalid: 422, failed: 503 } as const;
