/**
 * `npm run rooms`: the rooms of `src/` as a table, read from the imports. With a path, the boxes
 * of that room or folder and the arrows between them: `npm run rooms -- agent`.
 */
import { join } from "node:path";
import { boxOf, foldersOf, type ImportGraph, readImportGraph, roomOf } from "./import-graph.ts";

const graph = await readImportGraph(join(import.meta.dir, "../src"));
const [folder] = process.argv.slice(2);
print(folder === undefined ? rooms(graph) : boxes(graph, folder.replace(/\/$/u, "")));

type Row = readonly (string | number)[];

/** Files and lines of each room, the boxes at its first level, and the imports across its boundary. */
function rooms({ files, arrows }: ImportGraph): readonly Row[] {
  const names = [...new Set([...files.keys()].map(roomOf))];
  const rows = names.map((room): Row => {
    const own = [...files].filter(([file]) => roomOf(file) === room);
    const over = arrows.filter(({ from, to }) => roomOf(from) !== roomOf(to));
    const folders = new Set(own.flatMap(([file]) => foldersOf(file).slice(1)));
    return [
      room,
      own.length,
      sum(own.map(([, { lines }]) => lines)),
      Math.max(...own.map(([, { lines }]) => lines)),
      new Set(own.map(([file]) => boxOf(room, file))).size,
      folders.size,
      over.filter(({ to }) => roomOf(to) === room).length,
      over.filter(({ from }) => roomOf(from) === room).length,
    ];
  });
  const lines = [...files.values()].map((file) => file.lines).toSorted((a, b) => a - b);
  const median = lines[Math.floor(lines.length / 2)] ?? 0;
  return [
    ["room", "files", "lines", "longest", "boxes", "folders", "in", "out"],
    ...rows.toSorted((a, b) => Number(b[2]) - Number(a[2])),
    ["all", lines.length, sum(lines), lines.at(-1) ?? 0, rows.length, "", "", `median ${median}`],
  ];
}

/** The boxes of one folder, with the neighbouring boxes that each one imports. */
function boxes({ files, arrows }: ImportGraph, inside: string): readonly Row[] {
  const own = [...files].filter(([file]) => file.startsWith(`${inside}/`));
  if (own.length === 0) throw new Error(`no folder "${inside}" in src/`);
  const names = [...new Set(own.map(([file]) => boxOf(inside, file)))];
  const isIn = (file: string) => file.startsWith(`${inside}/`);
  const rows = names.map((name): Row => {
    const isOf = (file: string) => isIn(file) && boxOf(inside, file) === name;
    const mine = own.filter(([file]) => isOf(file));
    const to = arrows.filter((each) => isOf(each.from) && isIn(each.to) && !isOf(each.to));
    const targets = new Set(to.map((each) => boxOf(inside, each.to)));
    const users = arrows.filter((each) => isOf(each.to) && !isIn(each.from)).length;
    const lines = sum(mine.map((each) => each[1].lines));
    return [name, mine.length, lines, users, [...targets].toSorted().join(" ")];
  });
  return [["box", "files", "lines", "in", "imports here"], ...rows];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function print(rows: readonly Row[]): void {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => `${row[i]}`.length)));
  for (const row of rows) {
    const cells = row.map((cell, i) => {
      const text = `${cell}`;
      return typeof cell === "number" ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0);
    });
    console.log(cells.join("  ").trimEnd());
  }
}
