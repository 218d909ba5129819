export { indentOf, type Reindent } from "./indents.ts";
export { hasOneBlankMore } from "./one-blank.ts";
export { asWritten, findReindent, findTabs } from "./reindent.ts";
export { findScale } from "./rescale.ts";
