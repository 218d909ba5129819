import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileTriggers } from "../../src/daemon/routines/file-triggers.ts";
import { openScene } from "../agent/scene.ts";
import { until } from "../support/patience.ts";

/** Watches a workspace of which one folder may not be read, by somebody who obeys that; tells what came of it. */

const JOB = `[[routines.jobs]]
name = "intake"
schedule = "0 8 * * *"
workspace = "notes"
task = "Sort what came in"
watch = "inbox/**/*.md"
`;

using scene = await openScene({ config: JOB });
mkdirSync(join(scene.folder, "inbox"));
mkdirSync(join(scene.folder, "closed"), { mode: 0 });
const started: string[] = [];
const looks: string[] = [];
const troubles = new Map<string, string>();
const scheduler = {
  trigger: ({ name }: { readonly name: string }) => started.push(name) > 0,
  postpone() {},
};
const { routines, current, log } = scene.app;
const list = () => {
  looks.push("look");
  return routines.list();
};
const host = { routines: { ...routines, list }, current, log };
const triggers = createFileTriggers(host, scheduler, { quietMs: 5, lookMs: 50, troubles });
triggers.refresh();
await until(() => troubles.size > 0);
// Every look opens it anew, and it fails each time.
const begun = looks.length;
await until(() => looks.length > begun + 10);
const unasked = started.length;
await until(() => {
  writeFileSync(join(scene.folder, "inbox/a.md"), "x");
  return started.length > unasked;
});
const failed = scene.logged.filter((line) => line.includes("WATCH_FAILED")).length;
triggers.stop();
console.log(JSON.stringify({ unasked, failed, troubles: [...troubles] }));
