import { expect, test } from "bun:test";
import { isRoute } from "../../src/channels/http/routes.ts";
import { PATHS } from "../channels/http/route-paths.ts";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

const askHead = ({ root, bearer }: ConsoleScene, path: string) =>
  fetch(root + path, { method: "HEAD", headers: bearer, redirect: "manual" });

/** More than may listen at once. */
const MANY = 70;
const STREAMS = ["/api/events", "/api/log/follow?after=0-0"];

test("HEAD is answered as GET is, without a body", async () => {
  await using scene = await openConsoleScene();
  const read = Object.values(PATHS)
    .flat()
    .filter((path) => isRoute("GET", path) && !STREAMS.some((each) => each.startsWith(path)));
  expect(read.length).toBeGreaterThan(30);
  for (const path of read) {
    const [got, asked] = [await scene.get(path), await askHead(scene, path)];
    expect({ path, status: asked.status }).toEqual({ path, status: got.status });
    expect({ path, body: await asked.text() }).toEqual({ path, body: "" });
    await got.body?.cancel();
  }
});

test("HEAD of what is followed takes nobody's place", async () => {
  await using scene = await openConsoleScene();
  for (const path of STREAMS) {
    for (let n = 0; n < MANY; n++) {
      expect((await askHead(scene, path)).status).toBe(200);
    }
    const followed = await scene.get(path);
    expect({ path, status: followed.status }).toEqual({ path, status: 200 });
    await followed.body?.cancel();
  }
});
