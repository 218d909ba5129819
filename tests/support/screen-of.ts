/**
 * What a terminal that is high enough shows of what was written to it, in lines without blanks at
 * their end. It knows what our own lines are steered with, and fails over anything else.
 */
export function screenOf(written: string, columns: number): readonly string[] {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  const put = (character: string) => {
    const width = Bun.stringWidth(character);
    if (column + width > columns) [row, column] = [row + 1, 0];
    const cells = (rows[row] ??= []);
    while (cells.length < column) cells.push(" ");
    cells.splice(column, width, character, ...Array.from({ length: width - 1 }, () => ""));
    column += width;
  };
  const steer = (count: number, letter: string) => {
    if (letter === "A") row = Math.max(0, row - (count || 1));
    else if (letter === "G") column = Math.max(0, count - 1);
    else if (letter === "J" || letter === "K") {
      rows[row]?.splice(column);
      if (letter === "J") rows.splice(row + 1);
    } else if (letter !== "m") throw new Error(`unknown: ${letter}`);
  };
  const token = new RegExp(String.raw`\x1b\[\??(\d*)([A-Za-z])|[^]`, "gu");
  for (const [text, count = "", letter] of written.matchAll(token)) {
    if (letter !== undefined) steer(Number(count), letter);
    else if (text === "\r") column = 0;
    else if (text === "\n") [row, column] = [row + 1, 0];
    else if (text === "\t") column = Math.min(columns - 1, column + 8 - (column % 8));
    else put(text);
    rows[row] ??= [];
  }
  return rows.map((cells) => (cells ?? []).join("").trimEnd());
}
