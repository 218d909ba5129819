import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

/**
 * The name of the entry that `name`, which is in NFC, is taken for: by the eye, where the disk
 * tells Unicode forms apart and has another one; or by a disk that does not tell upper from lower
 * case. Undefined when the disk has `name` itself, or nothing of the kind.
 *
 * @param stat what the disk says of `name`
 */
export function findTwin(dir: string, name: string, stat: Stats | undefined): string | undefined {
  if (stat === undefined) {
    if (name === name.normalize("NFD")) return undefined; // it has one form only
    return readdirSync(dir).find((other) => other.normalize("NFC") === name);
  }
  if (!foldsCase(dir, name, stat)) return undefined;
  const names = readdirSync(dir).map((other) => other.normalize("NFC"));
  return names.includes(name) ? undefined : names.find((other) => fold(other) === fold(name));
}

/** Asks the disk for the same name in the other case. */
function foldsCase(dir: string, name: string, { ino, dev }: Stats): boolean {
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  const twin = lstatSync(join(dir, other), { throwIfNoEntry: false });
  return other !== name && twin?.ino === ino && twin.dev === dev;
}

/** One spelling of what a disk that folds case takes for the same: "ſ" is an "s" there. */
export function fold(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
