import { errorMessage } from "../core/app-error.ts";
import { renderInstant } from "../core/clock.ts";
import type { Texts } from "../texts/texts.ts";
import type { ExecuteDeps } from "./execute.ts";
import type { Routine } from "./routine.ts";

/** What a routine was due for while nothing could run it. */
export type Absence =
  | { readonly kind: "missed"; readonly dues: readonly number[]; readonly madeUp: number }
  | { readonly kind: "unknown"; readonly dueAt: number }
  /** The machine's timezone was this before. */
  | { readonly kind: "moved"; readonly from: string };

/** An absence and the routine it befell. */
export interface Missed {
  readonly routine: Pick<Routine, "name" | "channel" | "timezone">;
  readonly absence: Absence;
}

/** One message for all that was missed, however much it is, and one for a move; nobody waits for it. */
export function tellMissed(
  missed: readonly Missed[],
  { deliver, texts, log }: Pick<ExecuteDeps, "deliver" | "texts" | "log">,
): void {
  const said = texts().routines;
  const [moved, absent] = split(missed);
  for (const [channel, text] of [...renderMoves(moved, said), ...renderDigests(absent, said)]) {
    deliver(channel, text).catch((error: unknown) => {
      log("ROUTINE_DELIVERY_FAILED", { channel, error: errorMessage(error) });
    });
  }
}

function split(missed: readonly Missed[]): readonly [readonly Missed[], readonly Missed[]] {
  const isMove = ({ absence }: Missed) => absence.kind === "moved";
  return [missed.filter(isMove), missed.filter((each) => !isMove(each))];
}

/** One message for each channel about the routines that follow the machine into another timezone. */
function renderMoves(
  moved: readonly Missed[],
  texts: Texts["routines"],
): ReadonlyMap<"telegram" | "terminal", string> {
  const moves = new Map<"telegram" | "terminal", string>();
  for (const channel of ["telegram", "terminal"] as const) {
    const own = moved.filter(({ routine }) => routine.channel === channel);
    const [first] = own;
    if (first?.absence.kind !== "moved") continue;
    const names = own.map(({ routine }) => routine.name).join(", ");
    moves.set(channel, texts.moved(first.absence.from, first.routine.timezone, names));
  }
  return moves;
}

/** One message for each channel about everything that was missed; none when nothing was. */
function renderDigests(
  missed: readonly Missed[],
  texts: Texts["routines"],
): ReadonlyMap<"telegram" | "terminal", string> {
  const digests = new Map<"telegram" | "terminal", string>();
  for (const { routine, absence } of missed) {
    const { channel } = routine;
    if (channel === "none") continue;
    const before = digests.get(channel) ?? texts.away;
    digests.set(channel, `${before}\n${renderLine(routine, absence, texts)}`);
  }
  return digests;
}

function renderLine(
  { name, timezone }: Missed["routine"],
  absence: Absence,
  texts: Texts["routines"],
): string {
  switch (absence.kind) {
    case "missed": {
      const { dues, madeUp } = absence;
      const last = renderInstant(dues.at(-1) ?? 0, timezone);
      const added = madeUp > 0 ? texts.madeUp(madeUp) : "";
      return texts.missed(name, dues.length, last) + added;
    }
    case "unknown":
      return texts.unknown(name, renderInstant(absence.dueAt, timezone));
    case "moved":
      return ""; // told apart
    default:
      return absence satisfies never;
  }
}
