/** One line at the end of a terminal that says that work goes on. */
export interface ProgressLine {
  /** Work begins; the line shows when it takes long. */
  begin(): void;
  /** Takes the line away, for other text comes there now. */
  clear(): void;
  end(): void;
}

const QUIET_MS = 2_000;
const TICK_MS = 1_000;

/** A line that is written over itself every second in which nothing else is. */
export function createProgressLine(
  stdout: Pick<NodeJS.WriteStream, "write" | "columns">,
  options: {
    readonly render: (seconds: number) => string;
    /** Whether the end of the screen is free: no half line of text, nothing typed. */
    readonly isFree: () => boolean;
    readonly now: () => number;
  },
): ProgressLine {
  const { render, isFree, now } = options;
  let timer: ReturnType<typeof setInterval> | undefined;
  let beganAt = 0;
  let lastAt = 0;
  let isShown = false;

  function clear(): void {
    lastAt = now();
    if (!isShown) return;
    isShown = false;
    stdout.write("\r\x1b[K");
  }

  function tick(): void {
    if (!isShown && now() - lastAt < QUIET_MS) return;
    if (!isFree()) return;
    isShown = true;
    const text = render(Math.floor((now() - beganAt) / 1000));
    stdout.write(`\r\x1b[K\x1b[2m${text.slice(0, Math.max(0, stdout.columns - 1))}\x1b[0m`);
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
