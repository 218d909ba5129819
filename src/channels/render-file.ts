import { toVisibleText } from "../core/visible-text.ts";
import type { Texts } from "../texts/texts.ts";
import type { FileEvent } from "./channel.ts";

/** Which file it is, for somebody at the machine it lies on. */
export function renderFile({ workspace, path, sizeBytes }: FileEvent, { file }: Texts): string {
  return toVisibleText(file.liesIn(workspace, path, toSize(sizeBytes)));
}

/** A size as people read it. */
function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
