import { type Handler, Parser } from "htmlparser2";

/** Deeper than any page that people read; the parser searches its stack at every end tag. */
const MAX_DEPTH = 512;

/** The attributes that anybody asks for. */
const READ =
  "id alt rel src href role open type class style label value hidden selected placeholder aria-hidden".split(
    " ",
  );
/** Those by length; most others have another, or start otherwise, and are never sliced out. */
const READ_INITIALS = Array.from({ length: 12 }, (_, length) => {
  const initials = READ.filter((name) => name.length === length).map((name) => name[0] ?? "");
  return initials.join("") + initials.join("").toUpperCase();
});

/** What a collector receives of a page. */
export type PageHandler = Pick<Handler, "onopentag" | "ontext" | "onclosetag">;

/**
 * A streaming HTML parser whose work per tag is bounded: an element below the greatest depth is
 * taken as empty and its content as its parent's. Reports no attributes but those that matter.
 */
// A class because this is the way the parser lets its void elements be chosen.
export class BoundedParser extends Parser {
  readonly #depth: () => number;
  #isTooDeep = false;
  #isRead = false;
  #chunk = "";
  #chunkStart = 0;

  constructor(handler: PageHandler) {
    let depth = 0;
    super({
      ontext: handler.ontext,
      onopentag(name, attributes, isImplied) {
        depth += 1;
        handler.onopentag(name, attributes, isImplied);
      },
      onclosetag(name, isImplied) {
        handler.onclosetag(name, isImplied);
        depth -= 1;
      },
    });
    this.#depth = () => depth;
  }

  override write(chunk: string): void {
    this.#chunkStart += this.#chunk.length;
    this.#chunk = chunk;
    super.write(chunk);
  }

  override onopentagname(start: number, endIndex: number): void {
    this.#isTooDeep = this.#depth() >= MAX_DEPTH;
    super.onopentagname(start, endIndex);
  }

  override onattribname(start: number, endIndex: number): void {
    const initials = READ_INITIALS[endIndex - start] ?? "";
    // A name that began in an earlier chunk cannot be looked at.
    const initial = this.#chunk[start - this.#chunkStart];
    this.#isRead = initials !== "" && (initial === undefined || initials.includes(initial));
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
