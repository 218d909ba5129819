import { toVisibleText } from "../../core/visible-text.ts";
import { escapeHtml } from "./html.ts";

/** Masks secrets. */
export type Redact = (text: string) => string;

/** Makes HTML of a text from anywhere: masked, with nothing in it that a reader could not see. */
export type Show = (text: string) => string;

/** How a text is shown with these secrets masked. */
export function createShow(redact: Redact): Show {
  return (text) => escapeHtml(toVisibleText(redact(text)));
}
