import { renderStep } from "../../channels/series-lines.ts";
import type { Counted } from "../../core/few.ts";
import { toPrintableText } from "../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Step } from "../../transaction/views.ts";
import { renderBar, renderCounted } from "./bar.ts";
import type { Output } from "./open-output.ts";
import type { Screens } from "./screen.ts";
import type { StatusLine } from "./status-line.ts";

/** What a person waits for, told while it lasts. */
export interface Activity extends Disposable {
  readonly step: (step: Step) => void;
  /** Something goes on that is no step of its own. */
  begin(what: string): void;
  /** Nothing goes on: somebody is asked. */
  rest(): void;
}

/** Work that is done by then needs no word. */
const QUIET_MS = 400;
const TICK_MS = 125;
/** What is over by then needs no number. */
const COUNTED_MS = 1000;
/** Lines of what a check prints. */
const MOST_LINES = 3;
const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** Where it is told. */
interface Place extends Screens {
  readonly stderr: Output;
  readonly command: { readonly quiet: boolean };
}

/**
 * Tells what goes on: on a terminal that can, in a line that is written over, with the seconds it
 * takes and the last lines of a check's output; for anything else in a line for each step. Where it
 * is known how long a check took the last time, a bar says how far it may be.
 */
export function openActivity(
  { stderr, screen, command: { quiet } }: Place,
  texts: Texts,
  lastMs: (check: string) => number | undefined = () => undefined,
  now: () => number = () => performance.now(),
): Activity {
  const status = quiet ? undefined : screen(stderr)?.status();
  if (status) return openLive(status, texts, { lastMs, now });
  return {
    step(step) {
      const text = renderStep(step, texts);
      if (text !== undefined && !quiet) stderr.write(`${text}\n`);
    },
    begin() {},
    rest() {},
    [Symbol.dispose]() {},
  };
}

function openLive(
  status: StatusLine,
  texts: Texts,
  {
    lastMs,
    now,
  }: { readonly lastMs: (check: string) => number | undefined; readonly now: () => number },
): Activity {
  let timer: ReturnType<typeof setInterval> | undefined;
  let what = "";
  let beganAt = 0;
  let wholeMs: number | undefined;
  let ticks = 0;
  let counted: Counted | undefined;
  let printed: readonly string[] = [];

  function draw(): void {
    const tookMs = now() - beganAt;
    if (tookMs < QUIET_MS) return;
    const frame = FRAMES.charAt(ticks++ % FRAMES.length);
    const far = counted && tookMs >= COUNTED_MS ? renderCounted(counted) : "";
    const took = wholeMs === undefined ? toSeconds(tookMs) : renderTook(tookMs, wholeMs);
    status.show(
      [`${frame} ${what}`, ...printed.map((line) => `  ${line}`)],
      ` · ${far}${took} ${texts.terminal.works}`,
    );
  }

  function begin(text: string): void {
    rest();
    [wholeMs, counted] = [undefined, undefined];
    what = toPrintableText(text);
    beganAt = now();
    timer = setInterval(draw, TICK_MS);
  }

  function rest(): void {
    clearInterval(timer);
    printed = [];
    status.hide();
  }

  return {
    step(step) {
      const text = renderStep(step, texts);
      if (text !== undefined) begin(text);
      if (typeof step === "string") wholeMs = lastMs(step);
      else if ("check" in step) wholeMs = lastMs(step.check);
      else if ("counted" in step) counted = step.counted < step.of ? step : undefined;
      if (typeof step === "string" || !("printed" in step)) return;
      printed = [...printed, toPrintableText(step.printed)].slice(-MOST_LINES);
    },
    begin,
    rest,
    [Symbol.dispose]: rest,
  };
}

/** So much of the time that it took before; who takes longer has a whole bar. */
function renderTook(tookMs: number, wholeMs: number): string {
  const bar = renderBar({ counted: tookMs, of: wholeMs });
  return `${bar} ${toSeconds(tookMs)}/${Math.ceil(wholeMs / 1000)}`;
}

function toSeconds(ms: number): string {
  return String(Math.floor(ms / 1000));
}
