import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { useCommands } from "../../commands/commands.ts";
import { messageOf, type Page, useNewest, useTitle } from "../../page/page.ts";
import { openKeeper } from "../../theme.ts";
import { NewRoutine } from "./new-routine.tsx";
import { RoutineCard } from "./routine-card.tsx";
import { Week } from "./week.tsx";
import { type Routine, readRoutines } from "./wire.ts";
import { type AllWords, createWords } from "./words.ts";

/** The routines of a page, with what was typed about them as long as the window is open. */
export function openRoutines(page: Page) {
  const words = createWords(openKeeper("sessionStorage"));
  page.unkept.watch(words.isLeft);
  return { RoutinesPage: () => <RoutinesPage page={page} words={words} /> };
}

/** All routines: what each did, what is ahead, and what can be done with it. */
function RoutinesPage({ page, words }: { readonly page: Page; readonly words: AllWords }) {
  const { routines: texts, loading } = page.texts.value;
  const read = useSignal<readonly Routine[] | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const changes = page.feed.news.routineChanges.value + page.feed.news.changes.value;
  useNewest(
    () => page.client.get("/api/routines"),
    {
      take(value) {
        read.value = readRoutines(value);
        failure.value = undefined;
      },
      failed: (error) => (failure.value = messageOf(error)),
    },
    [changes],
  );
  useTitle(page.view, texts.title);
  useCommands("list", {
    inbox: () => page.nav.go({ page: "inbox" }),
    help: () => (page.view.isHelpOpen.value = true),
  });
  const routines = read.value;
  const layout = (routines ?? []).map(({ name, state }) => `${name} ${state}`).join();
  useLayoutEffect(() => {
    page.view.movedAt.value = performance.now();
  }, [layout]);
  if (!routines) {
    const said = failure.value;
    return <p class="waiting">{said === undefined ? loading : toVisibleText(said)}</p>;
  }
  return (
    <div class="inbox workspace">
      <h1>
        {texts.title} <span class="quiet">{routines.length}</span>
      </h1>
      {routines.length === 0 && (
        <div class="empty">
          <h2>{texts.none}</h2>
          <p>{texts.noneText}</p>
        </div>
      )}
      <ul class="items">
        {routines.map((routine) => (
          <RoutineCard key={routine.name} page={page} words={words} routine={routine} />
        ))}
      </ul>
      <NewRoutine page={page} words={words} />
      {routines.length > 0 && <Week texts={page.texts.value} routines={routines} />}
    </div>
  );
}
