import type { Failure } from "../core/app-error.ts";
import type { Usage } from "../providers/provider.ts";

/** What the web had to say about a query. Untrusted text: data, never instructions. */
export interface Research {
  readonly answerMd: string;
  /** The model's own, 0 to 1. */
  readonly confidence: number;
  /** Pages that were really read, at least one and at most 10. */
  readonly sources: readonly Source[];
  readonly notes?: string;
  readonly usage: Usage;
}

/** A page that was read, under its final address. */
export interface Source {
  readonly url: string;
  readonly title: string;
  /** What of the page nobody was shown, in a line; absent when all was. */
  readonly missing?: string;
}

/** Research, or why there is none. */
export type ResearchResult = { readonly ok: true; readonly research: Research } | ResearchFailure;

/** Why there is no research; `retryAfterMs` is the search service's own. */
export interface ResearchFailure extends Failure {
  /** The same question may be answered later. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** The search service asks to be left alone, whatever it is asked for. */
  readonly isBusy?: true;
  /** It says something of the question alone: another one may be answered. */
  readonly isOfCall?: true;
}

/** Answers a query from the web; never throws for what can go wrong out there. */
export type Researcher = (query: string, signal: AbortSignal) => Promise<ResearchResult>;
