import { firstOf } from "../../../core/few.ts";
import type { LeftOut, Part } from "../../../workspace/part.ts";
import { findOverruns, type Overrun } from "../find-overruns.ts";
import type { ProjectView } from "../project-view.ts";
import type { Finding } from "../rule.ts";

const SOURCE = /(?<!\.d|\.min)\.[cm]?[jt]sx?$/;
const NESTED_MANIFEST = /^(.+\/)(?:package\.json|Cargo\.toml|pyproject\.toml|go\.mod)$/;
const MAX_FILES = 2_000;
const MAX_FINDINGS = 10;

/** Patches loops that read one element past the end of an array: `i <= xs.length` to `i < xs.length`. */
export async function offByOneRule(project: ProjectView): Promise<Part<Finding>> {
  const findings: Finding[] = [];
  const sources = ownPaths(project.paths).filter((path) => SOURCE.test(path));
  const leftOut: LeftOut[] = [];
  const some = firstOf(sources, MAX_FILES).take((count) => leftOut.push({ what: "files", count }));
  for (const path of some) {
    const file = await project.readText(path);
    const overruns = file ? findOverruns(file.text) : [];
    if (file === undefined || overruns.length === 0 || !project.isWritable(path)) continue;
    const patch = await unifiedDiff(path, file.text, withoutOverruns(file.text, overruns));
    findings.push({
      action: { kind: "PATCH_FILE", path, patch, base_sha256: file.sha256 },
      reason: explain(overruns),
    });
    if (findings.length === MAX_FINDINGS) return { items: findings, leftOut: [{ what: "files" }] };
  }
  return { items: findings, leftOut };
}

/** A folder with a manifest is a project of its own: its bugs may be fixtures of this one. */
function ownPaths(paths: readonly string[]): readonly string[] {
  const nested = new Set(paths.flatMap((path) => NESTED_MANIFEST.exec(path)?.[1] ?? []));
  return nested.size === 0 ? paths : paths.filter((path) => !isBelow(path, nested));
}

/** Folder by folder, so that many projects in one cost no more than one. */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
    if (folders.has(path.slice(0, end + 1))) return true;
  }
  return false;
}

function withoutOverruns(text: string, overruns: readonly Overrun[]): string {
  let fixed = text;
  for (const { offset } of overruns.toReversed()) {
    fixed = `${fixed.slice(0, offset)}<${fixed.slice(offset + "<=".length)}`;
  }
  return fixed;
}

async function unifiedDiff(path: string, before: string, after: string): Promise<string> {
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import("diff");
  const diff = structuredPatch(path, path, before, after, "", "", { context: 3 });
  return `--- a/${path}\n+++ b/${path}\n${formatPatch(diff, OMIT_HEADERS)}`;
}

function explain(overruns: readonly Overrun[]): Finding["reason"] {
  const lines = overruns.map(({ line }) => line).join(", ");
  const [read = ""] = overruns.map(({ array, index }) => `${array}[${index}]`);
  return ({ offByOne }) => offByOne(lines, read);
}
