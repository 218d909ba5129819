import type { Row } from "../../../diff/diff.ts";
import type { LinePlace } from "../../../route.ts";

/** A line of a file, whatever row it stands in. */
export type LineOf = Pick<LinePlace, "side" | "line">;

/** The lines that stand in a row, the new one first. */
export function linesIn(row: Row | undefined): readonly LineOf[] {
  if (row?.kind !== "line" && row?.kind !== "pair") return [];
  const [left, right] =
    row.kind === "line" ? [row.line.old, row.line.new] : [row.pair.left?.old, row.pair.right?.new];
  return [
    ...(right === undefined ? [] : [{ side: "R", line: right } as const]),
    ...(left === undefined ? [] : [{ side: "L", line: left } as const]),
  ];
}

/** Whether a line stands in a row. */
export function isAt(row: Row, { side, line }: LineOf): boolean {
  return linesIn(row).some((each) => each.side === side && each.line === line);
}
