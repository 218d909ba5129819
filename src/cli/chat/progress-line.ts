import type { StatusLine } from "../screen/screen.ts";

/** Lines at the end of a terminal that say that work goes on. */
export interface ProgressLine {
  /** Work begins; the lines show when it takes long. */
  begin(): void;
  /** Other text comes there now, which takes them away. */
  clear(): void;
  end(): void;
}

const QUIET_MS = 2_000;
const TICK_MS = 1_000;

/** Lines that are written over every second in which nothing else is written. */
export function createProgressLine(
  status: StatusLine,
  options: {
    readonly render: (seconds: number) => readonly string[];
    /** With what the first line ends, however long it is. */
    readonly renderEnd?: (seconds: number) => string;
    /** Whether the end of the screen is free: no half line of text, nothing typed. */
    readonly isFree: () => boolean;
    readonly now: () => number;
  },
): ProgressLine {
  const { render, renderEnd, isFree, now } = options;
  let timer: ReturnType<typeof setInterval> | undefined;
  let beganAt = 0;
  let lastAt = 0;
  let isShown = false;

  function clear(): void {
    lastAt = now();
    if (isShown) status.hide();
    isShown = false;
  }

  function tick(): void {
    if (!isShown && now() - lastAt < QUIET_MS) return;
    if (!isFree()) return;
    isShown = true;
    const seconds = Math.floor((now() - beganAt) / 1000);
    status.show(render(seconds), renderEnd?.(seconds));
  }

  function end(): void {
    clearInterval(timer);
    clear();
  }

  return {
    begin() {
      end();
      beganAt = lastAt = now();
      timer = setInterval(tick, TICK_MS);
    },
    clear,
    end,
  };
}
