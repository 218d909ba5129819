import { type Handler, Parser } from "htmlparser2";

/** Deeper than any page that people read; the parser searches its stack at every end tag. */
const MAX_DEPTH = 512;

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

  override onclosetag(start: number, endIndex: number): void {
    this.#isTooDeep = false;
    super.onclosetag(start, endIndex);
  }

  protected override isVoidElement(name: string): boolean {
    return this.#isTooDeep || super.isVoidElement(name);
  }
}
