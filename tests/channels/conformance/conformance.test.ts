import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describeChannel } from "./describe-channel.ts";
import type { ChannelKind } from "./harness.ts";
import { openHttp } from "./http-harness.ts";
import { openPages } from "./page-harness.ts";
import { openTelegram } from "./telegram-harness.ts";
import { openTerminals } from "./terminal-harness.ts";

/** Every channel, by its folder in src/channels/. */
const CHANNELS: Readonly<Record<string, ChannelKind>> = {
  socket: {
    open: openTerminals,
    openEmpty: () => openTerminals(() => undefined),
    delivers: "delivered",
    isDurable: false,
    leaveCancels: false,
  },
  http: {
    open: openHttp,
    openEmpty: () => openHttp(() => undefined),
    delivers: "nobody",
    isDurable: false,
    leaveCancels: true,
  },
  telegram: {
    open: openTelegram,
    openEmpty: () => openTelegram(() => undefined, []),
    delivers: "queued",
    isDurable: true,
    leaveCancels: false,
  },
};

for (const [folder, kind] of Object.entries(CHANNELS)) describeChannel(folder, kind);

/** The web console is a client of the HTTP API, which reads it in its own way. */
describeChannel("the web console", {
  open: openPages,
  openEmpty: () => openPages(() => undefined),
  delivers: "nobody",
  isDurable: false,
  leaveCancels: true,
});

test("every folder of src/channels/ is a channel that is tested here", () => {
  const entries = readdirSync(join(import.meta.dir, "../../../src/channels"), {
    withFileTypes: true,
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(Object.keys(CHANNELS).toSorted()).toEqual(folders.toSorted());
});
