import { parseToml } from "../places/places.ts";
import { type KeyPath, renderKey } from "../schema/schema.ts";
import { isTable, valueAt } from "../value-at.ts";
import { findTextPlaces } from "./units.ts";

/** Tables whose secrets are sent somewhere, by how many steps lead to one of them. */
const OWNERS: Readonly<Record<string, number>> = {
  providers: 2,
  mcp: 3,
  telegram: 1,
  transcription: 1,
  online_research: 1,
};
/** Keys that say where something goes. */
const ADDRESS = /(?:^|_)(?:url|root|host|endpoint|command|cwd)$/u;

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

/** Everything that says where the secrets of a table go. */
function destinationOf(value: unknown, path: KeyPath): string {
  const steps = OWNERS[String(path[0])];
  const owner = steps === undefined ? undefined : valueAt(value, path.slice(0, steps));
  if (!isTable(owner)) return "";
  const said = Object.entries(owner).filter(([name]) => ADDRESS.test(name));
  return JSON.stringify(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
