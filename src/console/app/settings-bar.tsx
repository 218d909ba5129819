import { Link } from "../acts/acts.tsx";
import type { Page } from "../page/page.ts";
import { CARE, type Care } from "../route.ts";
import { Steady } from "./steady.tsx";

/** The way from part to part of the settings. */
export function SettingsBar(props: {
  readonly page: Pick<Page, "nav" | "texts">;
  readonly part: Care | undefined;
}) {
  const { page, part } = props;
  const { settings, care } = page.texts.value;
  return (
    <nav class="parts" aria-label={settings.title}>
      <Link nav={page.nav} to={{ page: "settings" }} isCurrent={part === undefined}>
        <Steady word={settings.file} />
      </Link>
      {CARE.map((each) => (
        <Link
          key={each}
          nav={page.nav}
          to={{ page: "settings", part: each }}
          isCurrent={each === part}
        >
          <Steady word={care.parts[each]} />
        </Link>
      ))}
    </nav>
  );
}
