import { type BigIntStats, lstatSync, statSync } from "node:fs";

/**
 * Says later whether the file that is at a path now is still there: one that was deleted or
 * replaced lives on only for those who have it open.
 */
export function rememberFile(path: string): () => boolean {
  const file = identifyFile(path);
  return () => identifyFile(path) === file;
}

/** Which file or folder is at a path, whatever is written to it; undefined where nothing can be seen. */
export function identifyFile(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** The state of what cannot be seen. */
export const NOTHING = "0";

/**
 * Which file it is, when it was touched last, and its size: another text once it was written, replaced or
 * removed. One that cannot be seen is {@link NOTHING}.
 */
export function fileState(path: string): string {
  return describe(() => statSync(path, { bigint: true }));
}

/** The same of what is itself at the path, be it a link. */
export function entryState(path: string): string {
  return describe(() => lstatSync(path, { bigint: true }));
}

function describe(look: () => BigIntStats): string {
  try {
    const { dev, ino, ctimeNs, size } = look();
    return `${dev} ${ino} ${ctimeNs} ${size}`;
  } catch {
    return NOTHING;
  }
}
