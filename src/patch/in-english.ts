import { NOTES_EN } from "../texts/notes/en.ts";
import { type HunkNote, wordHunkNotes } from "../texts/notes/notes.ts";
import type { AppliedHunk, PatchPlacing, PatchResult, PlacedHunk } from "./patch-result.ts";

/** What was done, for programs: what was tolerated is said in English, whatever people speak. */
export function inEnglish(placing: PatchPlacing): PatchResult {
  return placing.ok ? { ...placing, hunks: placing.hunks.map(toApplied) } : placing;
}

/** Each of some notes in English, for programs and authors. */
export function eachInEnglish(notes: readonly HunkNote[]): readonly string[] {
  return notes.map((note) => wordHunkNotes([note], NOTES_EN));
}

function toApplied({ said, ...hunk }: PlacedHunk): AppliedHunk {
  return said.length === 0 ? hunk : { ...hunk, note: wordHunkNotes(said, NOTES_EN) };
}
