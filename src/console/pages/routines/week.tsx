import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import { ownZone, toLocal, toTimes } from "./times.ts";
import type { Instant, Routine } from "./wire.ts";

interface Day {
  readonly at: number;
  readonly rows: Map<string, OnDay>;
}

interface OnDay {
  readonly routine: Routine;
  readonly dues: Instant[];
  /** There are more on that day than are known. */
  isCut: boolean;
}

/** The coming week, by the days of who reads. */
export function Week(props: { readonly texts: Texts; readonly routines: readonly Routine[] }) {
  const {
    texts: { routines: texts, language },
    routines,
  } = props;
  const days = toDays(routines);
  const longer = routines.filter(({ moreUntil }) => moreUntil !== undefined);
  const heading = new Intl.DateTimeFormat(language, {
    weekday: "long",
    day: "numeric",
    month: "long",
  });
  return (
    <section aria-label={texts.week}>
      <h2>{texts.week}</h2>
      <p class="quiet">{texts.weekOf(ownZone())}</p>
      {days.length === 0 && <p>{texts.nothingAhead}</p>}
      <div class="week">
        {days.map(({ at, rows }) => (
          <section key={at} class="panel" aria-label={heading.format(at)}>
            <h3>{heading.format(at)}</h3>
            <ul class="plain">
              {[...rows.values()].map(({ routine, dues, isCut }) => (
                <li key={routine.name}>
                  <bdi class="item-title">{toVisibleText(routine.name)}</bdi>
                  <span class="quiet">
                    {[
                      ...dues.map((due) =>
                        toTimes(due, routine.timezone, texts).slice("0000-00-00 ".length),
                      ),
                      ...(isCut ? [texts.andMore] : []),
                    ].join(", ")}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {longer.map(({ name, ahead }) => (
        <p key={name} class="quiet">
          {texts.more(toVisibleText(name), ahead.length)}
        </p>
      ))}
    </section>
  );
}

function toDays(routines: readonly Routine[]): readonly Day[] {
  const days = new Map<string, Day>();
  const rowAt = (at: number, routine: Routine): OnDay => {
    const key = toLocal(at).slice(0, 10);
    const day = days.get(key) ?? { at, rows: new Map() };
    days.set(key, day);
    const row = day.rows.get(routine.name) ?? { routine, dues: [], isCut: false };
    day.rows.set(routine.name, row);
    return row;
  };
  const all = routines.flatMap((routine) => routine.ahead.map((due) => ({ routine, due })));
  for (const { routine, due } of all.toSorted((a, b) => a.due.at - b.due.at)) {
    rowAt(due.at, routine).dues.push(due);
  }
  for (const routine of routines) {
    for (const at of cutDays(routine)) rowAt(at, routine).isCut = true;
  }
  return [...days.values()].toSorted((one, other) => one.at - other.at);
}

/** A moment of each day on which a routine is due more often than is known, by the days of who reads. */
function cutDays({ ahead, moreUntil }: Routine): readonly number[] {
  const last = ahead.at(-1);
  if (moreUntil === undefined || !last) return [];
  const days = [last.at];
  const next = new Date(last.at);
  for (;;) {
    next.setDate(next.getDate() + 1);
    next.setHours(0, 0, 0, 0);
    if (next.getTime() >= moreUntil) return days;
    days.push(next.getTime());
  }
}
