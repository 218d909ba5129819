import type { Widened } from "../../texts/wording.ts";
import type { EN } from "./en.ts";

/** What the page says, in one language. */
export type Texts = Widened<typeof EN>;
