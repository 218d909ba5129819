import { queueWelcome } from "../../channels/telegram/welcome.ts";
import { AppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { App } from "../../daemon/app/app.ts";
import { createPairing, type Pairing } from "../../store/chats/chats.ts";
import { type CliContext, EXIT } from "../context.ts";
import { openApp } from "../open-app.ts";
import { parseCommand, usageError } from "../parse.ts";
import { print } from "../print.ts";

/** `papayu pair`: lists who asks to be let in on Telegram, lets one in, refuses, or takes that back. */
export async function pair(args: readonly string[], context: CliContext): Promise<number> {
  const options = { remove: { type: "string" }, refuse: { type: "string" } } as const;
  const parsed = parseCommand(args, context, { options, positionals: [0, 1] });
  const [code] = parsed.positionals;
  const removed = parsed.text("remove");
  const refused = parsed.text("refuse");
  if ([code, removed, refused].filter((each) => each !== undefined).length > 1) {
    throw usageError("Give a code, --refuse or --remove, one of them", context);
  }
  using app = await openApp(parsed, context, "no model");
  const pairing = createPairing(app.state.store);
  const { allowed_user_ids: allowed } = app.current.loaded.config.telegram;
  if (removed !== undefined) remove(removed, pairing, allowed, context);
  else if (refused !== undefined) refuse(refused, pairing, app.clock.now(), context);
  else if (code !== undefined) letIn(code, pairing, app, context);
  else list(pairing, allowed, app.clock.now(), context);
  return EXIT.done;
}

function letIn(code: string, pairing: Pairing, app: App, context: CliContext): void {
  const result = pairing.pair(code, app.clock.now());
  switch (result.kind) {
    case "paired": {
      const { userId, name } = result;
      const { state, clock, current } = app;
      queueWelcome(state.store, userId, {
        text: current.texts().telegram.paired,
        now: clock.now(),
      });
      const text = `Paired with ${toVisibleText(name)} (${userId}), who can write to the bot now; papayu pair --remove ${userId} takes it back`;
      return print(context, { ok: true, user_id: userId, name: toVisibleText(name) }, text);
    }
    case "wrong":
      throw new AppError(
        "ERR_PAIRING_CODE",
        `Cannot pair "${toVisibleText(code)}": nobody waits with this code; ${result.triesLeft} more tries this hour, papayu pair lists who waits`,
      );
    case "locked":
      throw new AppError(
        "ERR_PAIRING_LOCKED",
        `Cannot pair: too many wrong codes; try again after ${toLocalTime(result.until)}`,
      );
    default:
      return result satisfies never;
  }
}

function remove(
  text: string,
  pairing: Pairing,
  allowed: readonly number[],
  context: CliContext,
): void {
  const userId = toUserId(text);
  if (!pairing.remove(userId)) {
    const message = `Cannot remove "${toVisibleText(text)}": nobody with this id was let in by a code; papayu pair lists them`;
    throw new AppError("ERR_PAIRING_CODE", message);
  }
  const still = allowed.includes(userId) ? ", and is still on telegram.allowed_user_ids" : "";
  print(context, { ok: true, user_id: userId }, `Removed ${userId}${still}`);
}

/** Makes the code of who waits worthless; they get no other for its hour. */
function refuse(text: string, pairing: Pairing, now: number, context: CliContext): void {
  const userId = toUserId(text);
  if (!pairing.refuse(userId, now)) {
    const message = `Cannot refuse "${toVisibleText(text)}": nobody with this id waits; papayu pair lists who does`;
    throw new AppError("ERR_PAIRING_CODE", message);
  }
  print(context, { ok: true, user_id: userId }, `Refused ${userId}: the code counts no more`);
}

function toUserId(text: string): number {
  return /^\d{1,15}$/u.test(text) ? Number(text) : 0;
}

function list(
  pairing: Pairing,
  allowed: readonly number[],
  now: number,
  context: CliContext,
): void {
  const waiting = pairing.waiting(now);
  const paired = pairing.paired();
  const document = {
    ok: true,
    waiting: waiting.map(({ userId, name, askedAt, expiresAt }) => ({
      user_id: userId,
      name: toVisibleText(name),
      asked_at: toIso(askedAt),
      expires_at: toIso(expiresAt),
    })),
    paired: paired.map(({ userId, name, pairedAt }) => ({
      user_id: userId,
      name: toVisibleText(name),
      paired_at: toIso(pairedAt),
    })),
    allowed_user_ids: allowed,
  };
  const lines = [
    waiting.length > 0
      ? "Waiting; papayu pair CODE lets in who tells you the code:"
      : "Nobody waits.",
    ...waiting.map(
      ({ userId, name, askedAt }) =>
        `  ${userId}  ${toVisibleText(name)}  asked ${toLocalTime(askedAt)}`,
    ),
    ...(paired.length > 0 ? ["Let in by a code:"] : []),
    ...paired.map(
      ({ userId, name, pairedAt }) =>
        `  ${userId}  ${toVisibleText(name)}  since ${toLocalTime(pairedAt)}`,
    ),
    ...(allowed.length > 0 ? [`On telegram.allowed_user_ids: ${allowed.join(", ")}`] : []),
  ];
  print(context, document, lines.join("\n"));
}

function toIso(instant: number): string {
  return new Date(instant).toISOString();
}

/** 2026-11-21 08:00:00, in local time. */
function toLocalTime(instant: number): string {
  return new Date(instant).toLocaleString("sv");
}
