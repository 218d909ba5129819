import { AppError } from "../core/app-error.ts";
import type { ErrorCode } from "../core/error-codes.ts";
import { type Texts, textsIn } from "../texts/texts.ts";

/** One of the refusals that a person is told of in their own language. */
export type Say = (refusals: Texts["refusals"]) => string;

/** A failure whose message is English, for logs and programs, with the same for the person. */
export function refusal(code: ErrorCode, texts: Texts, say: Say): AppError {
  const said = say(texts.refusals);
  return new AppError(code, say(textsIn("en").refusals), { details: { said } });
}

/** What the person is told instead of the message, where that is known. */
export function saidOf({ code, details, message }: AppError, texts: Texts): string | undefined {
  const { said, known, isSaid } = details;
  if (isSaid === true) return message;
  // A configuration speaks no language of anybody.
  const isNone = code === "ERR_WORKSPACE_UNKNOWN" && Array.isArray(known) && known.length === 0;
  if (isNone) return texts.workspaces.none;
  return typeof said === "string" && said !== message ? said : undefined;
}
