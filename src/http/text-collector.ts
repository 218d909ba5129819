import type { PageHandler } from "./bounded-parser.ts";
import { ELEMENT_RULES, type PageState } from "./element-rules.ts";
import { endsHidden, isHiddenElement } from "./hidden-element.ts";
import { createTextWriter } from "./text-writer.ts";

const MAX_TITLE_LENGTH = 300;

/** Turns what a parser says of a page into its title and text. */
export interface TextCollector {
  readonly handler: PageHandler;
  readonly finish: () => { readonly title: string; readonly text: string };
}

/** An element that something has to be done for when it ends. */
interface Frame {
  readonly depth: number;
  readonly close: () => void;
}

/** A collector for one page; links are relative to `baseUrl`. */
export function createTextCollector(baseUrl: string | undefined): TextCollector {
  const writer = createTextWriter();
  const page: PageState = { writer, baseUrl, row: undefined, lists: [] };
  const frames: Frame[] = [];
  let depth = 0;
  let hidden: { readonly name: string; readonly depth: number } | undefined;
  let title: string | undefined;
  let isInTitle = false;

  const closeTitle = () => {
    isInTitle = false;
  };
  const openTitle = () => {
    title = "";
    isInTitle = true;
    return closeTitle;
  };

  return {
    handler: {
      onopentag(name, attributes) {
        depth += 1;
        if (hidden !== undefined && endsHidden(hidden.name, name)) hidden = undefined;
        if (hidden !== undefined) return;
        const isSecondTitle = name === "title" && title !== undefined;
        if (isSecondTitle || isHiddenElement(name, attributes)) {
          hidden = { name, depth };
          return;
        }
        const close = name === "title" ? openTitle() : ELEMENT_RULES.get(name)?.(page, attributes);
        if (close !== undefined) frames.push({ depth, close });
      },
      ontext(text) {
        if (hidden !== undefined) return;
        if (!isInTitle) writer.text(text);
        else title = ((title ?? "") + text).slice(0, MAX_TITLE_LENGTH);
      },
      onclosetag() {
        if (hidden?.depth === depth) hidden = undefined;
        if (frames.at(-1)?.depth === depth) frames.pop()?.close();
        depth -= 1;
      },
    },
    finish: () => ({
      title: (title ?? "").replace(/\s+/gu, " ").trim(),
      text: writer.finish(),
    }),
  };
}
