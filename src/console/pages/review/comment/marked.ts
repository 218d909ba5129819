import type { LineOf, Review } from "../model/model.ts";
import { isWithin, nameOf, standingOf } from "../person/person.ts";
import { placeHere } from "./extend.ts";

/** Of which lines of a file something is said, or would be: more than one on which somebody is. */
export function markedIn(review: Review, number: number): (line: LineOf) => boolean {
  const { person, position } = review;
  const entry = review.files()[number]?.entry;
  const here = position.cursor()?.file === number ? placeHere(review) : undefined;
  const places = standingOf(person.said(), person.comments).map(({ place }) => place);
  if (here?.to !== undefined) places.push(here);
  if (!entry || places.length === 0) return () => false;
  return ({ side, line }) => {
    const own = side === "L" ? "before" : "after";
    const path = nameOf(entry, own);
    return places.some((place) => place.path === path && isWithin(place, own, line));
  };
}
