import { shorten } from "../core/cut-text.ts";
import type { Log, LogValue } from "../core/log.ts";
import { toVisibleText } from "../core/visible-text.ts";

const MAX_VALUE_CHARS = 4000;

/**
 * A log of one line an event: `2026-11-21T08:00:00.000Z [trace] EVENT_NAME key=value`. Every value
 * is masked and stays on its line.
 */
export function createLog(options: {
  /** Gets one line with its newline. */
  write: (line: string) => void;
  redact: (text: string) => string;
  now: () => number;
}): Log {
  return (event, fields = {}) => {
    const words = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ` ${key}=${renderValue(value, options.redact)}`);
    const instant = new Date(options.now()).toISOString();
    options.write(`${instant} [trace] ${event}${words.join("")}\n`);
  };
}

function renderValue(value: LogValue, redact: (text: string) => string): string {
  if (typeof value !== "string") return String(value);
  const masked = redact(value);
  const text = shorten(masked, MAX_VALUE_CHARS);
  const quoted = toVisibleText(JSON.stringify(text));
  return quoted === `"${text}"` && /^[^\s=]+$/.test(text) ? text : quoted;
}
