import { isGenerated } from "../../workspace/files.ts";
import { type IgnoreRules, isIgnored, rulesInside } from "../../workspace/ignore-rules.ts";
import { STATE_DIR } from "../../workspace/workspace.ts";
import { parentOf } from "../tree.ts";
import type { ExpectedTree } from "./expected.ts";

/** Folders whose content is no tool's to keep. */
const NEVER_KEPT: ReadonlySet<string> = new Set([".git", ".hg", ".svn"]);
/** What tools keep for papa-yu's own runs. */
const OWN_CACHE = "cache";

/** Whether a folder is a tool's, and what is in it worth keeping. */
export function isKept(rules: IgnoreRules, folder: string, name: string): boolean {
  if (folder === `${STATE_DIR}/`) return name === OWN_CACHE;
  if (NEVER_KEPT.has(name) || name === STATE_DIR) return false;
  return isGenerated(rules, `${folder}${name}/`, name);
}

/** Whether such a folder may be in it. */
export function isEntered(rules: IgnoreRules, folder: string, name: string): boolean {
  if (name === STATE_DIR) return folder === ""; // that of a workspace in this one is its own
  return !NEVER_KEPT.has(name) && !isIgnored(rules, `${folder}${name}/`);
}

/** Whether a folder that was kept is a tool's by the rules of now: they may have changed since. */
export function isStillKept(expected: ExpectedTree, path: string): boolean {
  let folder = "";
  let rules = expected.rules("", []);
  for (const name of parentOf(path).split("/").filter(Boolean)) {
    if (!isEntered(rules, folder, name)) return false;
    folder += `${name}/`;
    rules = expected.rules(folder, rulesInside(rules, folder));
  }
  return isKept(rules, folder, path.slice(folder.length));
}
