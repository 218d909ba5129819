import { useCommands } from "../../commands/commands.ts";
import { type Page, useTitle } from "../../page/page.ts";
import type { Care } from "../../route.ts";
import { BrowsersView } from "./browsers.tsx";
import { DoctorView } from "./doctor.tsx";
import { LogView } from "./log.tsx";
import { PeopleView } from "./people.tsx";
import { SpendingView } from "./spending.tsx";

/** What keeps papa-yu well, part by part. */
export function CarePage({ page, part }: { readonly page: Page; readonly part: Care }) {
  const { care: texts } = page.texts.value;
  useTitle(page.view, texts.parts[part]);
  useCommands("list", {
    inbox: () => page.nav.go({ page: "inbox" }),
    help: () => (page.view.isHelpOpen.value = true),
  });
  const View = VIEWS[part];
  return (
    <div class="inbox workspace care">
      <View page={page} />
    </div>
  );
}

const VIEWS = {
  doctor: DoctorView,
  log: LogView,
  people: PeopleView,
  browsers: BrowsersView,
  spending: SpendingView,
} as const;
