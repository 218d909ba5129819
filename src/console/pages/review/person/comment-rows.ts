import type { Row } from "../../../diff/diff.ts";
import { type Place, placeKey } from "./comments.ts";

/** Puts a row below each line of which something is said; what is about the file comes first. */
export function withCommentRows(
  rows: readonly Row[],
  names: readonly string[],
  places: readonly Place[],
): readonly Row[] {
  const own = places.filter(({ path = "" }) => names.includes(path));
  if (own.length === 0) return rows;
  const byLine = new Map(own.map((place) => [`${place.side ?? ""} ${place.line ?? ""}`, place]));
  const toRow = (place: Place): Row => ({ kind: "comment", key: placeKey(place) });
  const whole = own.filter(({ line }) => line === undefined);
  const below = (row: Row): readonly Row[] =>
    linesOf(row).flatMap((line) => {
      const place = byLine.get(line);
      return place ? [toRow(place)] : [];
    });
  return [
    ...new Map(whole.map((place) => [placeKey(place), toRow(place)])).values(),
    ...rows.flatMap((row) => [row, ...below(row)]),
  ];
}

/** The sides and numbers under which something may be said of a row. */
function linesOf(row: Row): readonly string[] {
  if (row.kind === "line") {
    const { old, new: now } = row.line;
    return [old === undefined ? "" : `before ${old}`, now === undefined ? "" : `after ${now}`];
  }
  if (row.kind !== "pair") return [];
  const { left, right } = row.pair;
  return [
    left?.old === undefined ? "" : `before ${left.old}`,
    right?.new === undefined ? "" : `after ${right.new}`,
  ];
}
