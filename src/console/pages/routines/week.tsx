import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import { ownZone, toLocal, toTimes } from "./times.ts";
import type { Instant, Routine } from "./wire.ts";

interface Day {
  readonly at: number;
  readonly rows: Map<string, { readonly routine: Routine; readonly dues: Instant[] }>;
}

/** The coming week, by the days of who reads. */
export function Week(props: { readonly texts: Texts; readonly routines: readonly Routine[] }) {
  const {
    texts: { routines: texts, language },
    routines,
  } = props;
  const days = toDays(routines);
  const longer = routines.filter(({ isMoreAhead }) => isMoreAhead);
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
              {[...rows.values()].map(({ routine, dues }) => (
                <li key={routine.name}>
                  <bdi class="item-title">{toVisibleText(routine.name)}</bdi>
                  <span class="quiet">
                    {dues
                      .map((due) =>
                        toTimes(due, routine.timezone, texts).slice("0000-00-00 ".length),
                      )
                      .join(", ")}
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
  const all = routines.flatMap((routine) => routine.ahead.map((due) => ({ routine, due })));
  for (const { routine, due } of all.toSorted((a, b) => a.due.at - b.due.at)) {
    const key = toLocal(due.at).slice(0, 10);
    const day = days.get(key) ?? { at: due.at, rows: new Map() };
    days.set(key, day);
    const row = day.rows.get(routine.name) ?? { routine, dues: [] };
    day.rows.set(routine.name, row);
    row.dues.push(due);
  }
  return [...days.values()];
}
