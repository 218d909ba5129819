import { firstOf } from "../../core/few.ts";
import type { HunkNote } from "../../texts/notes/notes.ts";
import type { PatchRefusal } from "../patch-result.ts";
import type { Hunk } from "./hunk.ts";
import type { HasLine } from "./marked-lines.ts";
import { type PatchSection, readPatch } from "./read-patch.ts";
import { hasColouredChange } from "./shown-patch.ts";
import { unwrapPatch } from "./unwrap-patch.ts";

/** The hunks that are about one file, and whether the patch claims to make that file. */
export interface ChosenHunks {
  readonly ok: true;
  readonly hunks: readonly Hunk[];
  readonly creates: boolean;
}

/**
 * The part of a patch that is about `path`. Headers may name the file with `a/` and `b/`, with a
 * folder too many or too few, or not at all; but a patch that names only other files is refused.
 * `hasLine` says whether the file, if there is one, has a line.
 */
export function chooseHunks(
  patch: string,
  path?: string,
  hasLine: HasLine = () => false,
): ChosenHunks | PatchRefusal {
  const { patch: text, repairs } = unwrapPatch(patch);
  const whose = path === undefined ? "" : ` for "${path}"`;
  if (hasColouredChange(text)) {
    return {
      ok: false,
      code: "ERR_PATCH_NOT_UNIFIED",
      message: `Cannot read the patch${whose}: only some of its lines have the colours of a terminal; write it without any`,
    };
  }
  const sections = readPatch(text, hasLine);
  if (sections.length === 0) {
    return {
      ok: false,
      code: "ERR_PATCH_NOT_UNIFIED",
      message: `Cannot read the patch${whose}: it has no hunk with a changed line; write a unified diff with "@@", " ", "-" and "+" lines`,
    };
  }
  const chosen = path === undefined ? onlyFile(sections) : partFor(sections, path);
  if (chosen.length === 0) return mismatch(sections, path);
  return {
    ok: true,
    hunks: chosen.flatMap((section) => section.hunks).map((hunk) => repaired(hunk, repairs)),
    creates: chosen.some((section) => section.creates),
  };
}

function repaired(hunk: Hunk, repairs: readonly HunkNote[]): Hunk {
  return repairs.length === 0 ? hunk : { ...hunk, repairs: [...(hunk.repairs ?? []), ...repairs] };
}

/** Everything, unless the sections are about different files. */
function onlyFile(sections: readonly PatchSection[]): readonly PatchSection[] {
  if (sections.length === 1) return sections;
  const named = sections.filter((section) => section.names.length > 0);
  const [first] = named;
  const same = named.every((section) =>
    section.names.some((name) => first?.names.some((other) => fit(name, withoutPrefix(other)) > 0)),
  );
  return same ? sections : [];
}

/** The sections that name the path best; without one, those that name nothing. */
function partFor(sections: readonly PatchSection[], path: string): readonly PatchSection[] {
  const fits = sections.map((section) => fitOf(section, path));
  const best = Math.max(...fits);
  if (best > 0) {
    const chosen = sections.filter((section, i) => fits[i] === best || isUnnamed(section));
    // Of two files with one name, as in a monorepo, nothing says which it is.
    return best === 1 ? onlyFile(chosen) : chosen;
  }
  return sections.filter(isUnnamed);
}

/** How well the names of a section fit, unless its new side is another file. */
function fitOf({ names }: PatchSection, path: string): number {
  const fits = names.map((name) => fit(name, path));
  return fits.at(-1) === 0 && leadsElsewhere(names, path) ? 0 : Math.max(0, ...fits);
}

/**
 * Whether the new side is another file, as in a rename: edits of this one would not be what was
 * intended. Words ("modified") and the path with something behind it ("a.ts.new") are no other file.
 */
function leadsElsewhere(names: readonly string[], path: string): boolean {
  const name = withoutPrefix(names.at(-1) ?? path);
  const isPath = /[./]/.test(name) && !/\s/.test(name);
  return isPath && !baseOf(name).startsWith(baseOf(path));
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Nothing is named, or only a side ("original", "new version") and no file. */
function isUnnamed({ names }: PatchSection): boolean {
  return names.every((name) => SIDE.test(withoutPrefix(name)));
}

const SIDE =
  /^(?:original|modified|changed|updated|old|new|before|after|current|previous)(?:[ _-]?(?:file|version|content))?$/i;

/** 2: the name is the path; 1: one ends with the other; 0: another file. */
function fit(name: string, path: string): 0 | 1 | 2 {
  if (name === `b/${path}` || name === `a/${path}` || name === path) return 2;
  const spellings = [name, withoutPrefix(name), withoutPrefix(name.replace(/ \([^)]*\)$/, ""))];
  if (spellings.includes(path)) return 2;
  const near = spellings.some((s) => s.endsWith(`/${path}`) || path.endsWith(`/${s}`));
  return near ? 1 : 0;
}

/** A name without quotes and without `./`, `a/` or `b/` before it. */
function withoutPrefix(name: string): string {
  return name.replace(/^"(.*)"$/, "$1").replace(/^(?:\.\/)?(?:[ab]\/)?/, "");
}

function mismatch(sections: readonly PatchSection[], path?: string): PatchRefusal {
  const names = [...new Set(sections.flatMap((section) => section.names.map(withoutPrefix)))];
  const shown = firstOf(names, 5).lines(
    (name) => `"${name}"`,
    (left) => `and ${left} more`,
  );
  return {
    ok: false,
    code: "ERR_PATCH_PATH_MISMATCH",
    message:
      path === undefined
        ? `Cannot apply the patch: it names several files, ${shown.join(", ")}; say which one is meant`
        : `Cannot apply the patch to "${path}": its header names ${shown.join(", ")}; give each file its own patch`,
  };
}
