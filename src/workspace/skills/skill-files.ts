import { join } from "node:path";
import { errorMessage, systemErrorCode } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { normalisePath } from "../../core/relative-path.ts";
import { withoutControls } from "../../core/visible-text.ts";
import { MovedError } from "../../system/open-exact.ts";
import { type Listing, listFiles } from "../files.ts";
import type { LeftOut } from "../part.ts";
import { isProtectedPath } from "../path-guard/path-guard.ts";
import type { Skill } from "./read-skill.ts";
import { readSmallText } from "./read-small-text.ts";

const MOST_LISTED = 50;
/** A skill with more is somebody's whole disk. */
const MOST_LOOKED_AT = 2000;

/** The names of the files next to a skill's `SKILL.md`, relative; at most 50. */
export async function listSkillFiles({ folder }: Skill, signal: AbortSignal): Promise<Listing> {
  const nothing: Listing = { items: [], leftOut: [] }; // a folder that is gone by now
  const found = listFiles(folder, { signal, limit: MOST_LOOKED_AT, isShort: true }).catch(
    () => nothing,
  );
  const { items, leftOut } = await found;
  const further = items.filter((path) => path !== "SKILL.md" && isReadable(path));
  const missing: LeftOut[] = [...leftOut];
  const some = firstOf(further, MOST_LISTED).take((count) =>
    missing.push({ what: "files", count }),
  );
  return { items: some, leftOut: missing };
}

/** A name that {@link readSkillFile} takes unchanged. */
function isReadable(path: string): boolean {
  const normal = normalisePath(path);
  return normal.ok && normal.path === path && !isProtectedPath(path, [], "read");
}

/** A further file of a skill, or why it cannot be had. */
export type SkillFile =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly code: "denied" | "not_found" | "invalid_args";
      readonly message: string;
    };

/** Reads one further file: text of at most 32 KiB, inside the folder, with no link on the way. */
export function readSkillFile({ name, folder }: Skill, path: string): SkillFile {
  const refuse = (code: Exclude<SkillFile, { ok: true }>["code"], reason: string) => {
    const shown = withoutControls(shorten(path, 240));
    const message = `Cannot read "${shown}" of the skill "${name}": ${reason}`;
    return { ok: false, code, message } as const;
  };
  const normal = normalisePath(path);
  if (!normal.ok) return refuse("denied", "it is no path inside the skill's folder");
  if (isProtectedPath(normal.path, [], "read")) return refuse("denied", "it is protected");
  try {
    return { ok: true, text: withoutControls(readSmallText(join(folder, normal.path))) };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ELOOP" || error instanceof MovedError)
      return refuse("denied", "a link is on the way to it");
    if (code === "ENOENT" || code === "ENOTDIR")
      return refuse("not_found", "there is no such file");
    return refuse(
      "invalid_args",
      code === undefined ? errorMessage(error) : `it fails with ${code}`,
    );
  }
}
