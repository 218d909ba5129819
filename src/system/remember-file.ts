import { statSync } from "node:fs";

/**
 * Says later whether the file that stands at a path now still stands there: one that was deleted
 * or replaced lives on for who has it open, and for nobody else.
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
