import { parseToml } from "../places/places.ts";
import { type KeyPath, renderKey } from "../schema/schema.ts";
import { isTable, valueAt } from "../value-at.ts";
import { findTextPlaces } from "./units.ts";

/**
 * Tables whose secrets are sent or given to somebody: how many steps lead to one of them, and its
 * keys that say to whom. Those of a program are all that it is started with: with another argument
 * or variable it is another one. In a list an entry may take the place of another, so its name counts.
 */
const OWNERS: Readonly<Record<string, { readonly steps: number; readonly says: RegExp }>> = {
  providers: { steps: 2, says: /^base_url$/u },
  mcp: { steps: 3, says: /^(?:url|command|args|env|cwd)$/u },
  telegram: { steps: 1, says: /(?:^|_)(?:url|root)$/u },
  transcription: { steps: 1, says: /^base_url$/u },
  online_research: { steps: 1, says: /^(?:base_url|search)$/u },
  workspaces: { steps: 2, says: /^(?:name|path)$/u },
  routines: { steps: 3, says: /^name$/u },
};

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
  const { steps, says } = OWNERS[String(path[0])] ?? {};
  const owner = says && valueAt(value, path.slice(0, steps));
  if (!isTable(owner)) return "";
  const said = Object.entries(owner).filter(([name]) => says?.test(name));
  return JSON.stringify(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
