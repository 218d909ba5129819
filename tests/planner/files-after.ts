import type { ChangeSet } from "../../src/transaction/change.ts";

/** The texts of a folder, by path, as a change set leaves them. */
export function filesAfter(
  before: Readonly<Record<string, string>>,
  { changes, contents }: ChangeSet,
): Record<string, string> {
  const files = new Map(Object.entries(before));
  for (const change of changes) {
    if (change.kind === "delete") files.delete(change.path);
    if (!("after" in change)) continue;
    files.set(change.path, Buffer.from(contents.get(change.after.sha256) ?? "").toString());
  }
  return Object.fromEntries(files);
}
