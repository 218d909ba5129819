const MAX_URL_CHARS = 2048;

/** The one spelling of an http or https address, without its fragment; undefined for all else. */
export function toWebAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > MAX_URL_CHARS) return undefined;
  const url = URL.parse(value);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  url.hash = "";
  return url.href;
}
