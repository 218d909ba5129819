import type { Log } from "../core/log.ts";
import {
  applyInjectionCheck,
  type InjectionCheck,
  suspectInjection,
} from "../security/injection.ts";
import type { Page } from "./gather-pages.ts";

/** The pages as a model may read them: one that seems to give orders with a warning, or a notice in its place. */
export function screenPages(
  pages: readonly Page[],
  { injectionCheck: check, log }: { readonly injectionCheck: InjectionCheck; readonly log: Log },
): readonly Page[] {
  return pages.map((page) => {
    const { url, title, text } = page;
    const { origin, pathname } = new URL(url); // a query may be private
    const source = { tool: "research", page: origin + pathname };
    const kind = suspectInjection(`${title}\n${text}`, source, { check, log });
    if (kind === undefined) return page;
    // A title cannot be marked: it goes with what is left out.
    const shown = check === "block" ? url : title;
    return { url, title: shown, text: applyInjectionCheck(text, kind, check) };
  });
}
