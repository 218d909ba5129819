import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import type { Page } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { Failure } from "./failure.tsx";
import { createLog } from "./log-model.ts";
import { LEVELS, type LogLine } from "./wire.ts";

/** So near to its end somebody follows what comes. */
const NEAR_PX = 40;
/** A word that is being typed is not searched letter by letter. */
const PAUSE_MS = 300;

/** The daemon's log, live, the newest at the end. */
export function LogView({ page }: { readonly page: Page }) {
  const { care, loading } = page.texts.value;
  const { log: texts } = care;
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const log = useMemo(() => createLog(page.client, () => isAtEnd.current), [page]);
  const level = useSignal("info");
  const text = useSignal("");
  const opened = useSignal(0);
  useEffect(() => {
    const end = new AbortController();
    const wanted = { level: level.value, text: text.value };
    const timer = setTimeout(
      () => {
        isAtEnd.current = true;
        void log.open(wanted, end.signal);
      },
      text.value === "" ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [log, level.value, text.value, opened.value]);
  const lines = log.lines.value;
  const height = useRef(0);
  useLayoutEffect(() => {
    const at = box.current;
    if (!at) return;
    // What is read of before is put above, and moves nothing under the eyes.
    if (isAtEnd.current) at.scrollTop = at.scrollHeight;
    else if (at.scrollTop < NEAR_PX) at.scrollTop += at.scrollHeight - height.current;
    height.current = at.scrollHeight;
  }, [lines]);
  const failure = log.failure.value;
  return (
    <>
      <h1>{care.parts.log}</h1>
      <div class="log-wanted">
        <label>
          <span>{texts.level}</span>
          <select
            value={level.value}
            onChange={(event) => (level.value = event.currentTarget.value)}
          >
            {LEVELS.map((each) => (
              <option key={each} value={each}>
                {texts.levels[each]}
              </option>
            ))}
          </select>
        </label>
        <label class="grows">
          <span>{texts.search}</span>
          <input
            type="search"
            maxLength={200}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
      </div>
      <Failure text={failure} />
      <div
        class="log-lines"
        role="region"
        aria-label={care.parts.log}
        tabIndex={0}
        ref={box}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight >= scrollHeight - NEAR_PX;
        }}
      >
        {log.older.value !== undefined && (
          <button type="button" class="act other" onClick={() => void log.readOlder()}>
            {texts.older}
          </button>
        )}
        {lines === undefined && failure === undefined && <p class="waiting">{loading}</p>}
        {lines?.length === 0 && (
          <p class="waiting">{log.older.value === undefined ? texts.none : texts.noneHere}</p>
        )}
        <ol>
          {lines?.map((line) => (
            <LineRow key={line.id} texts={page.texts.value} line={line} />
          ))}
        </ol>
      </div>
      {log.unseen.value > 0 && (
        <button type="button" class="act other" onClick={() => (opened.value += 1)}>
          {texts.unseen(log.unseen.value)}
        </button>
      )}
    </>
  );
}

function LineRow({
  texts: { language, care },
  line,
}: {
  readonly texts: Texts;
  readonly line: LogLine;
}) {
  const { log: texts } = care;
  const { at, event, level, text, cut } = line;
  const time = at === undefined ? undefined : new Date(at);
  return (
    <li class={`is-${level}`}>
      {time && (
        <time dateTime={time.toISOString()}>
          {time.toLocaleString(language, { dateStyle: "short", timeStyle: "medium" })}
        </time>
      )}{" "}
      {level !== "info" && <span class={`kind is-${level}`}>{texts.levels[level]}</span>}{" "}
      <b>{toVisibleText(event)}</b> <bdi>{toVisibleText(text)}</bdi>
      {cut > 0 && <span class="quiet"> {texts.cut(cut)}</span>}
    </li>
  );
}
