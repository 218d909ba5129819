import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { lookAgain } from "./patience.ts";

/**
 * Every path below `root` with its kind, mode and bytes (as sha256) or link target,
 * so that two trees compare with one `toEqual`. `.papa-yu` and `.git` are left out.
 */
export function readTree(root: string): Record<string, string> {
  return lookAgain(() => readOnce(root));
}

function readOnce(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (dir: string, prefix: string) => {
    for (const name of readdirSync(dir).toSorted()) {
      if (prefix === "" && (name === ".papa-yu" || name === ".git" || name === "node_modules"))
        continue;
      const path = join(dir, name);
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) tree[prefix + name] = `link ${readlinkSync(path)}`;
      else if (stat.isDirectory()) {
        tree[`${prefix}${name}/`] = `dir ${mode}`;
        walk(path, `${prefix}${name}/`);
      } else if (!stat.isFile()) tree[prefix + name] = `special ${mode}`;
      else tree[prefix + name] = `file ${mode} ${sha256(readFileSync(path))}`;
    }
  };
  walk(root, "");
  return tree;
}

/** Writes files by relative path, making the folders they need. */
export function writeTree(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
