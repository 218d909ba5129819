import type { Failure } from "../core/app-error.ts";
import { complete } from "../providers/complete.ts";
import type { ChatMessage, Provider, Usage } from "../providers/provider.ts";
import { newBoundary } from "../security/untrusted.ts";
import { CUT_EN, tellCut } from "../texts/failures/failures.ts";
import type { Page } from "./gather-pages.ts";
import type { OnlineAnswer } from "./online-answer.ts";
import type { ResearchResult, Source } from "./research.ts";
import { repairMessages, summaryMessages } from "./summary-prompt.ts";
import { toProse } from "./to-line.ts";
import { toWebAddress } from "./web-address.ts";

/** Who summarises. */
export interface Summariser {
  readonly provider: Provider;
  /** Ask for structured output by schema. */
  readonly strict: boolean;
}

/**
 * Has a model answer the query from the pages. A summary that breaks its schema is sent back once.
 * No matter what the model or a page claims, only pages that were read become sources.
 */
export async function summarise(
  summariser: Summariser,
  { query, pages }: { readonly query: string; readonly pages: readonly Page[] },
  signal: AbortSignal,
): Promise<ResearchResult> {
  const messages = summaryMessages({ query, pages, boundary: newBoundary() });
  const first = await askOnce(summariser, messages, signal);
  if (first.ok) return toResult(first.answer, pages, first.usage);
  if (first.text === undefined) return toFailure(first);
  const repair = repairMessages(messages, first.text, first.message);
  const second = await askOnce(summariser, repair, signal);
  if (!second.ok) return toFailure(second);
  return toResult(second.answer, pages, addUsage(first.usage, second.usage));
}

/** `text` is there when the model answered, and so may repair its answer. */
type Asked = { readonly usage: Usage } & (
  | { readonly ok: true; readonly answer: OnlineAnswer }
  | (Failure & { readonly text?: string })
);

async function askOnce(
  { provider, strict }: Summariser,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<Asked> {
  const schema = strict ? await loadStrictSchema() : undefined;
  const { text, usage, cut, failure } = await complete(provider, {
    messages,
    whole: true,
    temperature: 0,
    signal,
    ...(schema && { schema: { name: "papayu_online_answer", schema } }),
  });
  if (failure) return { ok: false, code: failure.code, message: failure.message, usage };
  const { readSummary } = await import("./read-summary.ts");
  const read = readSummary(text);
  if (read.ok) return { ...read, usage };
  if (!cut) return { ...read, usage, text };
  // No repair: under the same bound it would be cut again.
  const message = `Cannot use the summary: ${tellCut(CUT_EN, cut)}`;
  return { ok: false, code: "LLM_ANSWER_CUT", message, usage };
}

async function loadStrictSchema(): Promise<Readonly<Record<string, unknown>>> {
  const [{ toStrictSchema }, { default: schema }] = await Promise.all([
    import("../protocol/schemas.ts"),
    import("../../schemas/online_answer_schema.json"),
  ]);
  return toStrictSchema(schema);
}

function toFailure({ code, message }: Failure): ResearchResult {
  const isCancelled = code === "ERR_CANCELLED";
  return {
    ok: false,
    code,
    message: isCancelled ? message : `Cannot summarise the pages: ${message}`,
  };
}

function toResult(answer: OnlineAnswer, pages: readonly Page[], usage: Usage): ResearchResult {
  const { confidence } = answer;
  const answerMd = toProse(answer.answer_md);
  const notes = toProse(answer.notes ?? "");
  const sources = readSources(answer, pages);
  if (sources.length === 0) {
    const message = "it names none of them as its source; ask again in other words";
    return toFailure({ ok: false, code: "ERR_SCHEMA_VALIDATION", message });
  }
  const research = { answerMd, confidence, sources, ...(notes && { notes }), usage };
  return { ok: true, research };
}

/** Addresses and titles as they were fetched, in the model's order. */
function readSources(answer: OnlineAnswer, pages: readonly Page[]): readonly Source[] {
  const read = pages.filter(({ isLeftOut }) => !isLeftOut);
  const byUrl = new Map(read.map((page) => [page.url, page]));
  const named = new Set(answer.sources.map(({ url }) => toWebAddress(url) ?? ""));
  return [...named].flatMap((url) => {
    const page = byUrl.get(url);
    if (page === undefined) return [];
    const { title, missing } = page;
    return [{ url, title, ...(missing && { missing }) }];
  });
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}
