import type { Log } from "../core/log.ts";
import {
  applyInjectionCheck,
  type InjectionCheck,
  suspectInjection,
} from "../security/injection.ts";
import type { Page } from "./gather-pages.ts";

/**
 * The pages as a model may read them: one that seems to give orders is marked, or a notice is in
 * its place.
 */
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
    const received = applyInjectionCheck(text, kind, check);
    if (check !== "block") return { ...page, text: received };
    return { url, title: url, text: received, isLeftOut: true };
  });
}
