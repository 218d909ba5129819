import { goneFolder, wrongAmongNone } from "../config/gone-folder.ts";
import type { AppError } from "../core/app-error.ts";
import type { Texts } from "../texts/texts.ts";
import { Refusal } from "../texts/texts.ts";
import { type Reader, toFailureLines, toFailureText } from "./failure-lines.ts";

/** What the person is told instead of the message, where that is known. */
export function saidOf(error: AppError, texts: Texts): string | undefined {
  const { code, details, message } = error;
  if (error instanceof Refusal) {
    const said = error.say(texts.refusals);
    return said === message ? undefined : said;
  }
  if (details["isSaid"] === true) return message;
  // A configuration speaks no language of anybody.
  const gone = goneFolder(error);
  if (gone) {
    const said = texts.refusals.folderGone(gone.name, gone.path, gone.file);
    return said === message ? undefined : said;
  }
  const reason = wrongAmongNone(error);
  if (reason === undefined) return undefined;
  const { joins, workspaces } = texts;
  if (reason === "") return workspaces.none;
  const why = joins.sentences(toFailureLines({ code, message: reason }, texts));
  return joins.remark(why, workspaces.none);
}

/** What an error that was thrown says to a person, in one line. */
export function toErrorText(error: AppError, texts: Texts, reader: Reader): string {
  const { code, message } = error;
  return toFailureText({ code, message, said: saidOf(error, texts) }, texts, reader);
}
