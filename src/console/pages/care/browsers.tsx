import { toVisibleText } from "../../../core/visible-text.ts";
import { Confirm } from "../../acts/acts.tsx";
import { agoOf } from "../../figures/figures.tsx";
import type { Page } from "../../page/page.ts";
import { Failure } from "./failure.tsx";
import { useRead } from "./use-read.ts";
import { readBrowsers } from "./wire.ts";

/** Browsers that were let in, and this one among them. */
export function BrowsersView({ page }: { readonly page: Page }) {
  const { care, language, loading } = page.texts.value;
  const { browsers: texts } = care;
  const { value, failure, change } = useRead(
    page,
    "/api/browsers",
    readBrowsers,
    page.view.focusedAt.value,
  );
  const until = (at: number) => new Date(at).toLocaleDateString(language, { dateStyle: "medium" });
  return (
    <>
      <h1>{care.parts.browsers}</h1>
      <Failure text={failure.value} />
      {!value.value && failure.value === undefined && <p class="waiting">{loading}</p>}
      <ul class="items">
        {value.value?.map(({ id, browser, at, expiresAt, isHere }) => (
          <li key={id} class="item item-row">
            <span>
              <bdi>
                <b>{toVisibleText(browser)}</b>
              </bdi>{" "}
              {isHere && <span class="kind is-ok">{texts.here}</span>}{" "}
              <span class="quiet">{texts.signedIn(agoOf(page, at), until(expiresAt))}</span>
            </span>
            <Confirm
              page={page}
              label={isHere ? texts.signOut : texts.end}
              about={browser}
              onYes={() => void change({ id })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
