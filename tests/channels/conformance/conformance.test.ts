import { describeChannel } from "./describe-channel.ts";
import { openHttp } from "./http-harness.ts";
import { openTelegram } from "./telegram-harness.ts";
import { openTerminals } from "./terminal-harness.ts";

describeChannel("terminal", {
  open: openTerminals,
  openEmpty: () => openTerminals(() => undefined),
  delivers: "delivered",
  isDurable: false,
  leaveCancels: false,
});

describeChannel("http", {
  open: openHttp,
  openEmpty: () => openHttp(() => undefined),
  delivers: "nobody",
  isDurable: false,
  leaveCancels: true,
});

describeChannel("telegram", {
  open: openTelegram,
  openEmpty: () => openTelegram(() => undefined, []),
  delivers: "queued",
  isDurable: true,
  leaveCancels: false,
});
