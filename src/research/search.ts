import type { ResearchFailure } from "./research.ts";

/** One result; `url` is http or https, without fragment. */
export interface SearchHit {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** As YYYY-MM-DD, where the service knows when the page was published. */
  readonly date?: string;
}

/** Hits, best first, or why there are none. */
export type SearchResult =
  | { readonly ok: true; readonly hits: readonly SearchHit[] }
  | ResearchFailure;

/** A search service behind its adapter. */
export interface Search {
  /** Two with the same identity give the same hits: service and endpoint. */
  readonly identity: string;
  search(
    query: string,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<SearchResult>;
}

/** How one kind of service is asked and read; everything else is common to all. */
export interface SearchService {
  /** Where it is when the configuration names no place. */
  readonly publicUrl: string | undefined;
  readonly needsKey: boolean;
  /** What to look at when the service refuses a request. */
  readonly advice: string;
  readonly toRequest: (question: SearchQuestion) => SearchRequest;
  /** The results of an answer as they came; undefined when it has another shape. */
  readonly toResults: (answer: unknown) => readonly RawHit[] | undefined;
}

/** What is asked of a service. */
export interface SearchQuestion {
  readonly query: string;
  readonly limit: number;
  /** Empty where the service needs none. */
  readonly apiKey: string;
}

/** A request below the root of a service. */
export interface SearchRequest {
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A result before anything of it is believed. */
export interface RawHit {
  readonly url: unknown;
  readonly title: unknown;
  readonly snippet: unknown;
  readonly date: unknown;
}
