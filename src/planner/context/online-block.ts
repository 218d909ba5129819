import { firstOf } from "../../core/few.ts";
import { type Block, cutMiddle, quoteHeaders, toOneLine } from "./block.ts";

/** What research found, as far as a plan needs it. */
export interface OnlineFindings {
  readonly answerMd: string;
  readonly sources: readonly {
    readonly url: string;
    readonly title: string;
    readonly missing?: string;
  }[];
}

/** The `[online_research]` limits of a plan's context. */
export interface OnlineLimits {
  /** Of the whole body, in UTF-16 units. */
  readonly maxChars: number;
  readonly maxSources: number;
}

const SOURCES = "\n\nONLINE_SOURCES:\n";
/** Most of a body that its sources may take when it is cut. */
const SOURCES_SHARE = 0.4;

/** Findings as context for one plan, and whether they had to be shortened for it. */
export function renderOnlineBlock(
  { answerMd, sources }: OnlineFindings,
  { maxChars, maxSources }: OnlineLimits,
): { readonly block: Block; readonly truncated: boolean } {
  const lines = firstOf([...sources.entries()], maxSources).lines(
    ([index, { url, title, missing = "" }]) => {
      const note = missing === "" ? "" : ` (${missing})`;
      return toOneLine(`${index + 1}. ${url} ${title}`.trimEnd() + note);
    },
    (left) => `… ${left} more sources`,
  );
  const whole =
    quoteHeaders(answerMd.trim()) + (lines.length > 0 ? SOURCES + lines.join("\n") : "");
  const body = cutOnline(whole, maxChars);
  return {
    block: { kind: "online", priority: 1, header: "ONLINE_RESEARCH_SUMMARY:", body },
    truncated: body !== whole || sources.length > maxSources,
  };
}

/** Cuts the body of an online block to `maxChars`; the first sources stay, in whole lines. */
export function cutOnline(body: string, maxChars: number): string {
  if (body.length <= maxChars) return body;
  const at = body.lastIndexOf(SOURCES);
  if (at === -1) return cutMiddle(body, maxChars);
  const sources = wholeLines(body.slice(at), Math.floor(maxChars * SOURCES_SHARE));
  return cutMiddle(body.slice(0, at), maxChars - sources.length) + sources;
}

function wholeLines(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf("\n", maxChars);
  return end < SOURCES.length ? "" : text.slice(0, end);
}
