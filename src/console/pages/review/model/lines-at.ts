import { MOST_CHARS, type Place } from "../person/person.ts";
import type { ReviewFile } from "./review-file.ts";

/** Lines as the change leaves them, which may be written anew; undefined: they are none, or too many. */
export function linesAt(
  files: readonly ReviewFile[],
  { path, side, line, to = line }: Place,
): string | undefined {
  if (side !== "after" || line === undefined) return undefined;
  const content = files.find(({ entry }) => entry.path === path)?.content;
  if (content?.kind !== "ready") return undefined;
  const lines = content.texts.after?.split("\n").slice(line - 1, to);
  const text = lines?.map((each) => each.replace(/\r$/u, "")).join("\n");
  return text !== undefined && text.length > MOST_CHARS ? undefined : text;
}
