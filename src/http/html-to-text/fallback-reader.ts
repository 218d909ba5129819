import { cutText } from "../../core/cut-text.ts";
import { BoundedParser, type PageHandler } from "./bounded-parser.ts";

/** What a page says to those who run no scripts is a paragraph or a picture, hardly ever more. */
const MAX_LENGTH = 64 * 1024;

/**
 * Reads the text of a `noscript` element. A page that a browser saved has the source of markup
 * there, as text.
 */
export interface FallbackReader {
  readonly add: (text: string) => void;
  /** Text does not go on from here: it is read as if what it is the source of stood there. */
  readonly flush: () => void;
}

/** A {@link FallbackReader} for one element; `handler` gets what it reads. */
export function createFallbackReader(handler: PageHandler): FallbackReader {
  let held = "";
  return {
    add(text) {
      held = cutText(held + text, MAX_LENGTH);
    },
    flush() {
      const source = held;
      held = "";
      if (!source.trimStart().startsWith("<")) return handler.ontext(source);
      const parser = new BoundedParser(handler);
      parser.write(source);
      parser.end();
    },
  };
}
