import type { Widened } from "../../texts/widened.ts";
import type { EN } from "./en.ts";

/** What the page says, in one language. */
export type Texts = Widened<typeof EN>;
