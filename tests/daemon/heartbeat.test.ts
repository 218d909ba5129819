import { expect, test } from "bun:test";
import { beginHeartbeat, findHeartbeat, readHeartbeat } from "../../src/daemon/heartbeat.ts";
import { createSettings } from "../../src/store/settings/settings.ts";
import { nameProcess } from "../../src/system/processes/process-name.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { RUBBISH } from "../support/rubbish.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";

const LAUNCH = { configPath: "/c.toml", cwd: "/w" };

function open() {
  const store = memoryStore();
  const settings = createSettings(store);
  let now = 1000;
  const clock = { now: () => now, sleep: async () => {} };
  return {
    store,
    settings,
    begin: () => beginHeartbeat(LAUNCH, { settings, clock, log: silentLog }),
    pass: (ms: number) => void (now += ms),
    read: () => readHeartbeat(settings),
    [Symbol.dispose]: () => store.close(),
  };
}

test("beginHeartbeat() says that a daemon lives, and its end that it ended in order", () => {
  using scene = open();
  expect(scene.read()).toBeUndefined();
  const life = scene.begin();
  expect(scene.read()).toEqual({
    pid: process.pid,
    runner: nameProcess(),
    aliveAt: 1000,
    isOver: false,
    launch: LAUNCH,
  });
  scene.pass(500);
  life.end();
  expect(scene.read()).toMatchObject({ aliveAt: 1500, isOver: true });
});

test("beginHeartbeat() remembers the last crash over orderly ends", () => {
  using scene = open();
  const crashed = scene.begin();
  scene.pass(100);
  const next = scene.begin();
  expect(scene.read()).toMatchObject({ aliveAt: 1100, crashedAt: 1000 });
  next.end();
  scene.begin().end();
  expect(scene.read()).toMatchObject({ crashedAt: 1000, isOver: true });
  crashed.end();
});

test("readHeartbeat() and findHeartbeat() know nothing of rubbish and of what is not there", () => {
  using scene = open();
  for (const rubbish of RUBBISH) {
    scene.store.run("INSERT OR REPLACE INTO settings (key, value) VALUES ('daemon.life', ?)", [
      rubbish,
    ]);
    expect(scene.read()).toBeUndefined();
  }
  using dir = tempDir();
  expect(findHeartbeat(dir.path)).toBeUndefined();
});
