import { cutText } from "../../../core/cut-text.ts";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { AgentEvent } from "../../channel.ts";

const MAX_LENGTH = 120;

/** One line about what is being done, as text. */
export function toProgressText(
  event: Extract<AgentEvent, { readonly kind: "progress" | "tool_call" }>,
  redact: (text: string) => string,
): string {
  const text = event.kind === "progress" ? event.text : `${event.name} ${firstValue(event.args)}`;
  return cutText(toVisibleText(redact(text)).replace(/\s+/g, " ").trim(), MAX_LENGTH);
}

/** What a call is about: mostly its first argument, a path or a command. */
function firstValue(args: string): string {
  try {
    const [value] = Object.values(Object(JSON.parse(args)));
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
