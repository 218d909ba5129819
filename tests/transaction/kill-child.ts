import { writeSync } from "node:fs";
import { sha256 } from "../../src/core/sha256.ts";
import { applyActions, workspaceAt } from "./scene.ts";

/** Rewrites the first line of every `file-N.txt` and makes as many new files; says when it has come to a step. */
const [root = "", count = "", from = ""] = process.argv.slice(2);

const actions = Array.from({ length: Number(count) / 2 }, (_, index) => [
  {
    kind: "REPLACE_RANGE",
    path: `old/file-${index}.txt`,
    base_sha256: sha256(`${index}\r\nkeep\r\n`),
    start_line: 1,
    end_line: 1,
    content: "new",
  } as const,
  { kind: "CREATE_FILE", path: `new/${index % 7}/${index}.txt`, content: `${index}\n` } as const,
]).flat();

const onStep = (step: string): void => {
  if (step === from) writeSync(1, step);
};

onStep("begun");
const result = await applyActions(workspaceAt(root), actions, { onStep });
if (!result.ok) throw new Error(result.message);
