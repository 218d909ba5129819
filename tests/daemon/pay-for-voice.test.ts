import { describe, expect, test } from "bun:test";
import type { Recording } from "../../src/channels/telegram/work/update-context.ts";
import { AppError } from "../../src/core/app-error.ts";
import { payForVoice } from "../../src/daemon/channels/pay-for-voice.ts";
import { ANNA, openScene } from "../agent/scene.ts";

const never = new AbortController().signal;
const MINUTE = 60 * 15;

function recorded(durationS: number, bytes = 100): Recording {
  return { audio: new Uint8Array(bytes), durationS, sessionId: ANNA.sessionId };
}

type Heard = Awaited<ReturnType<Parameters<typeof payForVoice>[0]>>;

/** Who listens to recordings, under lines of `[agent]` and `[transcription]`. */
async function open(
  agent = "",
  transcription = "",
  heard: Heard | Error = { ok: true, text: "words" },
) {
  const config = `[agent]\n${agent}\n[transcription]\n${transcription}`;
  const scene = await openScene({ config });
  const { app } = scene;
  let asked = 0;
  // As what reads a key fails: before there is any promise.
  const hear = payForVoice(() => {
    asked++;
    if (heard instanceof Error) throw heard;
    return Promise.resolve(heard);
  }, app);
  return {
    hear: (recording: Recording, signal = never) => hear(recording, signal),
    asked: () => asked,
    spent: () => app.current.agent.commands.spent(ANNA.sessionId),
    [Symbol.dispose]: () => scene[Symbol.dispose](),
  };
}

describe("payForVoice()", () => {
  test("counts a recording by its length, for whoever spoke", async () => {
    using voice = await open("", "price_per_minute = 0.006");
    expect(await voice.hear(recorded(90))).toEqual({ ok: true, text: "words" });
    expect(voice.spent()).toEqual({ tokens: 1.5 * MINUTE, cost: expect.closeTo(0.009) });
  });

  test("counts what came where the length was told too short, and no recording as nothing", async () => {
    using voice = await open();
    await voice.hear(recorded(0, 8000 * 60));
    await voice.hear(recorded(0, 1));
    expect(voice.spent()).toEqual({ tokens: MINUTE + 15, cost: 0 });
  });

  test("does not send what would pass a cap on tokens, and says which", async () => {
    using voice = await open(`max_tokens_per_day = ${MINUTE + 100}`);
    expect(await voice.hear(recorded(60))).toMatchObject({ ok: true });
    const refused = await voice.hear(recorded(60));
    expect(refused).toMatchObject({ ok: false, code: "LLM_BUDGET" });
    expect(JSON.stringify(refused)).toMatch(
      /agent\.max_tokens_per_day = 1000 in .*config\.toml.* is reached, 900 are spent and this may take 900/u,
    );
    expect(voice.asked()).toBe(1);
    expect(voice.spent().tokens).toBe(MINUTE);
  });

  test("keeps a cap on cost, which needs a price", async () => {
    using unpriced = await open("max_cost_per_day = 1");
    const refused = await unpriced.hear(recorded(1));
    expect(refused).toMatchObject({ ok: false, code: "LLM_BUDGET" });
    expect(JSON.stringify(refused)).toContain("set price_per_minute in [transcription]");
    expect(unpriced.asked()).toBe(0);
    using priced = await open("max_cost_per_day = 0.01", "price_per_minute = 0.006");
    expect([await priced.hear(recorded(60)), await priced.hear(recorded(60))]).toMatchObject([
      { ok: true },
      { ok: false, code: "LLM_BUDGET" },
    ]);
    using free = await open("max_cost_per_day = 0.01", "price_per_minute = 0");
    expect(await free.hear(recorded(600))).toMatchObject({ ok: true });
  });

  test("gives back what an endpoint refused, and nothing where nobody knows", async () => {
    const failed = { ok: false, message: "no" } as const;
    using refused = await open("", "", { ...failed, isFree: true });
    await refused.hear(recorded(60));
    expect(refused.spent()).toEqual({ tokens: 0, cost: 0 });
    using late = await open("", "", failed);
    await late.hear(recorded(60));
    expect(late.spent()).toEqual({ tokens: MINUTE, cost: 0 });
  });

  test("says why nobody could be asked, and charges nothing for it", async () => {
    const missing = new AppError("ERR_SECRET_UNAVAILABLE", "Cannot read EAR_KEY: it is not set");
    using keyless = await open("", "price_per_minute = 1", missing);
    for (const _try of [1, 2, 3]) {
      expect(await keyless.hear(recorded(60))).toMatchObject({
        ok: false,
        code: "ERR_SECRET_UNAVAILABLE",
        message: missing.message,
      });
    }
    expect(keyless.spent()).toEqual({ tokens: 0, cost: 0 });
  });

  test("keeps what a cancelled try may have cost, and what is a fault of papa-yu is thrown", async () => {
    const cancelled = new AppError("ERR_CANCELLED", "cancelled");
    using late = await open("", "", cancelled);
    const failed = await late
      .hear(recorded(60), AbortSignal.abort())
      .catch((error: unknown) => error);
    expect(failed).toBe(cancelled);
    expect(late.spent().tokens).toBe(MINUTE);
    using broken = await open("", "", new TypeError("a defect"));
    expect(await broken.hear(recorded(60)).catch((error: unknown) => error)).toBeInstanceOf(
      TypeError,
    );
  });
});
