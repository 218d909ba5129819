import { createHmac, timingSafeEqual } from "node:crypto";

/** Who opened the page, as Telegram says it; or why that is not believed. */
export type InitData =
  | { readonly ok: true; readonly userId: number; readonly hash: string; readonly signedAt: number }
  | { readonly ok: false; readonly code: InitDataFault };

/** Why it is not believed; `forged`: also what another bot was given. */
export type InitDataFault =
  | "malformed"
  | "repeated field"
  | "forged"
  | "too old"
  | "from the future"
  | "no person"
  | "not private";

const MOST_CHARS = 4096;
/** Clocks differ; a page that is opened asks at once. */
const EARLY_MS = 30_000;
/** How long after it was signed it still counts. */
export const INIT_DATA_MS = 5 * 60_000;

/**
 * Reads what Telegram gives to a page that it opens: every field but `hash`, those that are unknown
 * here and `signature` too, has to be what the bot's own token signed.
 */
export function readInitData(text: string, botToken: string, now: number): InitData {
  const fields = parseFields(text);
  if (typeof fields === "string") return { ok: false, code: fields };
  const hash = fields.get("hash") ?? "";
  const date = fields.get("auth_date") ?? "";
  if (!/^[0-9a-f]{64}$/u.test(hash) || botToken === "") return { ok: false, code: "malformed" };
  const signed = [...fields].filter(([key]) => key !== "hash");
  const lines = signed.map(([key, value]) => `${key}=${value}`).toSorted();
  const key = createHmac("sha256", "WebAppData").update(botToken).digest();
  const wanted = createHmac("sha256", key).update(lines.join("\n")).digest();
  if (!timingSafeEqual(wanted, Buffer.from(hash, "hex"))) return { ok: false, code: "forged" };
  if (!/^\d{1,12}$/u.test(date)) return { ok: false, code: "malformed" };
  const signedAt = Number(date) * 1000;
  if (signedAt - now > EARLY_MS) return { ok: false, code: "from the future" };
  if (now - signedAt > INIT_DATA_MS) return { ok: false, code: "too old" };
  const type = fields.get("chat_type") ?? "private";
  if (fields.has("chat") || (type !== "private" && type !== "sender")) {
    return { ok: false, code: "not private" };
  }
  const userId = readPerson(fields.get("user"));
  return userId === undefined
    ? { ok: false, code: "no person" }
    : { ok: true, userId, hash, signedAt };
}

/** A line break in a field would make two sets of fields one text to sign. */
function parseFields(text: string): ReadonlyMap<string, string> | InitDataFault {
  if (text.length > MOST_CHARS) return "malformed";
  const fields = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(text)) {
    if (!/^[a-z_]{1,64}$/u.test(key) || /[\r\n\0]/u.test(value)) return "malformed";
    if (fields.has(key)) return "repeated field";
    fields.set(key, value);
  }
  return fields;
}

function readPerson(user: string | undefined): number | undefined {
  try {
    const value: unknown = JSON.parse(user ?? "");
    if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
    const isBot = "is_bot" in value && value.is_bot !== false;
    const { id } = value;
    return typeof id === "number" && Number.isSafeInteger(id) && id > 0 && !isBot ? id : undefined;
  } catch {
    return undefined;
  }
}
