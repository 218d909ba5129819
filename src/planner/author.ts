import type { ErrorCode } from "../core/error-codes.ts";
import type { ProtocolVersion } from "../protocol/version.ts";
import type { ChatMessage, ServedBy, Usage } from "../providers/provider.ts";
import type { Cut } from "../texts/failures/failures.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What the planner asks of whoever writes answers. */
export interface AuthorRequest {
  readonly mode: "plan" | "apply";
  /** Of the protocol that the answer has to follow. */
  readonly version: ProtocolVersion;
  readonly goal: string;
  readonly workspace: Workspace;
  /** The whole conversation so far; a model answers this and nothing else. */
  readonly messages: readonly ChatMessage[];
  readonly signal: AbortSignal;
}

/** One answer as text that should be protocol JSON, or why there is none. */
export type AuthorAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      /** It is not whole: the same request would be cut again. */
      readonly cut?: Cut;
      readonly usage: Usage;
      /** Who wrote it, where that is another than the author's first choice. */
      readonly servedBy?: ServedBy;
    }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      /** Trying again does not help: a wrong key, a model that is not there. */
      readonly isLasting?: true;
    };

/**
 * Writes plans and changes as protocol JSON: a model, or the built-in rules.
 * Both pass the same validation, gates and transaction.
 */
export interface Author {
  readonly name: string;
  readonly model: string;
  /** Whether answers are asked for as structured output. */
  readonly strictJson: boolean;
  /** Longest answer in tokens; 0: the model's own limit. */
  readonly tokenBudget: number;
  /** How freely its words are chosen, from 0; absent where nothing is left to chance. */
  readonly temperature?: number;
  answer(request: AuthorRequest): Promise<AuthorAnswer>;
}
