import { expect, test } from "bun:test";
import { type Act, OWNER, openTruth, pickPlaces } from "./scene.ts";

const RUN: Act = {
  autonomy: "full",
  job: `
[[routines.jobs]]
name = "tidy"
schedule = "0 8 29 2 *"
timezone = "UTC"
workspace = "notes"
mode = "apply"
task = "write b.txt"
`,
  act: (bot) => bot.say(OWNER, "/routines run tidy"),
  said: /Applied in notes|papa-yu stopped while it ran/,
  committed: ["apply"],
  files: ["b.txt"],
};

test("SIGKILL in the middle of a routine: what is committed is told, and what is told is so", async () => {
  for (const place of pickPlaces("routine")) {
    await using scene = await openTruth(RUN);
    await scene.stopDuring("SIGKILL", place);
    await scene.readOn();
    const isCommitted = (await scene.committed()).length === 1;
    const read = scene.bot.texts(OWNER).join("\n");
    expect(scene.files()).toEqual(isCommitted ? ["b.txt"] : []);
    if (isCommitted) expect(read).toMatch(/Applied in notes: 1 change/);
    else expect(read).toContain("papa-yu stopped while it ran");
    expect(read).not.toMatch(/Nothing to change|Rejected|[Cc]ancel/);
  }
});
