import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "../channels/socket/bench.ts";
import { crossed } from "../support/long.ts";
import { createEntries, post, settled } from "./matrix/entries.ts";
import { toName } from "./matrix/verdict.ts";
import { OWNER, openWorld } from "./matrix/world.ts";
import { HTTP_KNOCKS, SOCKET_KNOCKS, TELEGRAM_KNOCKS } from "./payloads/knocks.ts";
import { SAYINGS } from "./payloads/sayings.ts";

/** Whatever comes in by itself: no yes that was not asked for, nobody who is not the owner. */
const world = await openWorld();
afterAll(() => world[Symbol.asyncDispose]());

describe("said", () => {
  for (const [{ theme, text }, entry] of crossed(SAYINGS, createEntries(world), 1)) {
    test(`${theme}: ${toName(text)} by ${entry.name} does nothing`, async () => {
      world.begin();
      await entry.say(text, "supervised");
      expect(world.findHarm()).toEqual([]);
    });
  }
});

describe("a knock", () => {
  for (const { theme, name, message } of TELEGRAM_KNOCKS) {
    test(`${theme}: ${toName(name)} in Telegram does nothing`, async () => {
      world.begin();
      const before = world.model.requests.length;
      await settled(world, world.api.say(OWNER, "yes", message));
      expect(world.model.requests).toHaveLength(before);
      expect(world.findHarm()).toEqual([]);
    });
  }

  for (const [name, line] of SOCKET_KNOCKS) {
    test(`${name} on the socket does nothing`, async () => {
      world.begin();
      const terminal = await connect(world.daemon.socketPath);
      terminal.sendRaw(`${line}\n`);
      expect(await terminal.next("error")).toMatchObject({ type: "error" });
      terminal.close();
      expect(world.findHarm()).toEqual([]);
    });
  }

  for (const [name, path, body, headers, status] of HTTP_KNOCKS) {
    test(`${name} at the local API does nothing`, async () => {
      world.begin();
      const response = await post(world, path, body, headers);
      world.left(await response.text());
      expect(response.status).toBe(status);
      expect(world.findHarm()).toEqual([]);
    });
  }
});
