import type { PartKind } from "./content-weight.ts";

const PARTS: ReadonlySet<string> = new Set(
  "div section article main header form figure ul ol dl menu".split(" "),
);
const ASIDES: ReadonlySet<string> = new Set(["nav", "footer", "aside"]);
const ASIDE_ROLES: ReadonlySet<string> = new Set(
  "navigation banner contentinfo complementary search menu menubar dialog".split(" "),
);

/** Elements that only continue the text they are in. */
const INLINE: ReadonlySet<string> = new Set(["a", "img", "br", "base", "link"]);

/** What an element may be instead of content; undefined for one too small to tell. */
export function toPartKind(name: string, role: string | undefined): PartKind | undefined {
  if (ASIDES.has(name) || (role !== undefined && ASIDE_ROLES.has(role))) return "aside";
  return PARTS.has(name) ? "part" : undefined;
}

/** Whether text does not run on across the start of an element that has a rule. */
export function breaksText(name: string): boolean {
  return !INLINE.has(name);
}

/** Whether what an element holds is pressed and not read. */
export function isControl(name: string): boolean {
  return name === "a" || name === "button" || name === "label";
}
