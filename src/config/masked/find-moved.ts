import { parseToml } from "../places/places.ts";
import { type KeyPath, placeAt, renderKey } from "../schema/schema.ts";
import { isTable, valueAt } from "../value-at.ts";
import { findTextPlaces } from "./units.ts";

/**
 * Keys of an edited text with a mask that does not stand for the same thing any more: what sets it
 * is another text (words of a command line, beside which a guess would tell), or what the table
 * says of where it goes.
 *
 * @param stem how every mask begins
 */
export function findMoved(shown: string, edited: string, stem: string): ReadonlySet<string> {
  const before = new Map(
    findTextPlaces(shown).map(({ path, statement }) => [renderKey(path), statement]),
  );
  const [was, is] = [parseToml("", "", shown).value, parseToml("", "", edited).value];
  const moved = new Set<string>();
  for (const { kind, path, start, end, statement } of findTextPlaces(edited)) {
    if (kind !== "value" || !edited.slice(start, end).includes(stem)) continue;
    const isSame = before.get(renderKey(path))?.() === statement();
    if (!isSame || destinationOf(was, path) !== destinationOf(is, path)) moved.add(renderKey(path));
  }
  return moved;
}

/** Everything that says where what stands at a path goes. */
function destinationOf(value: unknown, path: KeyPath): string {
  const steps = path.findLastIndex((_, at) => placeAt(path.slice(0, at)).node.properties);
  const owner = valueAt(value, path.slice(0, steps));
  const { properties = {} } = placeAt(path.slice(0, steps)).node;
  // What is masked for what is in it goes where the secrets of its table may go.
  const says =
    placeAt(path).facts.goesBy ?? Object.values(properties).flatMap(({ goesBy }) => goesBy ?? []);
  if (!isTable(owner)) return "";
  const said = Object.entries(owner).filter(([name]) => says.includes(name));
  return JSON.stringify(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
