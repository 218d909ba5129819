import { signal } from "@preact/signals";
import type { Client, Unkept } from "../../../client/client.ts";
import type { Colors } from "../../../colors/colors.ts";
import { createPerson, type Person } from "../person/person.ts";
import { createLayout, type ReviewLayout } from "./layout.ts";
import { createOpening, type Opening } from "./opening.ts";
import { createPosition, type Position } from "./position.ts";
import type { ReviewFile } from "./review-file.ts";
import { createSource, type Known, type Source } from "./source.ts";

export type { ReviewLayout } from "./layout.ts";
export { isAt, type LineOf, linesIn } from "./line-of.ts";
export { linesAt } from "./lines-at.ts";
export type { Opening } from "./opening.ts";
export type { Cursor } from "./position.ts";
export { type Content, charsShown, FIRST_CHARS, hasLines, type ReviewFile } from "./review-file.ts";
export type { Source } from "./source.ts";

/** A change set that is read, whatever shows it: whoever needs one of the parts takes that one. */
export interface Review {
  readonly id: string;
  readonly files: () => readonly ReviewFile[];
  readonly source: Source;
  readonly layout: ReviewLayout;
  readonly position: Position;
  readonly person: Person;
  readonly opening: Opening;
}

/** Who is asked for it, and what keeps the words of a person until they are there. */
interface Asked {
  readonly client: Client;
  readonly unkept: Unkept;
}

/** A review that has not asked for anything yet. */
export function createReview(
  { client, unkept }: Asked,
  id: string,
  prefersSplit: boolean,
  /** It may be asked to be different here: there is room for that. */
  isPage = false,
  colors?: Colors,
): Review {
  const known: Known = { set: signal(undefined), files: [] };
  const files = () => known.files;
  const person = createPerson(unkept, id, known.set, isPage);
  const layout = createLayout(files, person, prefersSplit);
  const opening = createOpening(files, person, layout);
  return {
    id,
    files,
    source: createSource(client, id, known, { person, layout, colors }),
    layout,
    position: createPosition(files, layout.version, opening),
    person,
    opening,
  };
}
