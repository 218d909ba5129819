import { type Handler, Parser } from "htmlparser2";

/** Deeper than any page that people read; the parser searches its stack at every end tag. */
const MAX_DEPTH = 512;

/** The names that anybody asks for; attributes of other lengths are never even sliced out. */
const READ_LENGTHS = toFlags(["alt", "rel", "href", "role", "style", "hidden", "aria-hidden"]);

/** What a collector hears of a page. */
export type PageHandler = Pick<Handler, "onopentag" | "ontext" | "onclosetag">;

/**
 * A streaming HTML parser whose work per tag is bounded: an element below the greatest depth is
 * taken as empty and its content as its parent's.
 */
// A class because this is the way the parser lets its void elements be chosen.
export class BoundedParser extends Parser {
  readonly #depth: () => number;
  #isTooDeep = false;
  #isRead = false;

  constructor(handler: PageHandler) {
    let depth = 0;
    super({
      ontext: handler.ontext,
      onopentag(...tag) {
        depth += 1;
        handler.onopentag(...tag);
      },
      onclosetag(...tag) {
        handler.onclosetag(...tag);
        depth -= 1;
      },
    });
    this.#depth = () => depth;
  }

  override onopentagname(start: number, endIndex: number): void {
    this.#isTooDeep = this.#depth() >= MAX_DEPTH;
    super.onopentagname(start, endIndex);
  }

  override onattribname(start: number, endIndex: number): void {
    this.#isRead = READ_LENGTHS[endIndex - start] === true;
    if (this.#isRead) super.onattribname(start, endIndex);
  }

  override onattribdata(start: number, endIndex: number): void {
    if (this.#isRead) super.onattribdata(start, endIndex);
  }

  override onattribentity(codePoint: number): void {
    if (this.#isRead) super.onattribentity(codePoint);
  }

  override onattribend(...end: Parameters<Parser["onattribend"]>): void {
    if (this.#isRead) super.onattribend(...end);
  }

  override onclosetag(start: number, endIndex: number): void {
    this.#isTooDeep = false;
    super.onclosetag(start, endIndex);
  }

  protected override isVoidElement(name: string): boolean {
    return this.#isTooDeep || super.isVoidElement(name);
  }
}

function toFlags(names: readonly string[]): readonly boolean[] {
  return Array.from({ length: 12 }, (_, length) => names.some((name) => name.length === length));
}
