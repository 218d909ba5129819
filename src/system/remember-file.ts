import { statSync } from "node:fs";

/**
 * Says later whether the file that is at a path now is still there: one that was deleted or
 * replaced lives on only for those who have it open.
 */
export function rememberFile(path: string): () => boolean {
  const file = identify(path);
  return () => identify(path) === file;
}

/** Undefined where nothing can be seen. */
function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
