import { toVisibleText } from "../../../core/visible-text.ts";
import { CodeForm, Confirm } from "../../acts/acts.tsx";
import { agoOf } from "../../figures/figures.tsx";
import type { Page } from "../../page/page.ts";
import { Failure } from "./failure.tsx";
import { useRead } from "./use-read.ts";
import { type Person, readPeople } from "./wire.ts";

/** Who may speak to the bot, and who asks to. */
export function PeopleView({ page }: { readonly page: Page }) {
  const { care, loading } = page.texts.value;
  const { people: texts } = care;
  const { value, failure, change } = useRead(
    page,
    "/api/people",
    readPeople,
    page.view.focusedAt.value,
  );
  const people = value.value;
  async function letIn(code: string): Promise<boolean> {
    const isIn = await change({ act: "pair", code });
    if (isIn) page.view.said.value = texts.isIn;
    return isIn;
  }
  return (
    <>
      <h1>{care.parts.people}</h1>
      <Failure text={failure.value} />
      {!people && failure.value === undefined && <p class="waiting">{loading}</p>}
      {people && (
        <>
          <section aria-labelledby="waiting">
            <h2 id="waiting">{texts.waiting}</h2>
            <People page={page} people={people.waiting} owner={undefined}>
              {(person) => (
                <Confirm
                  page={page}
                  label={texts.refuse}
                  about={person.name}
                  onYes={() => void change({ act: "refuse", user_id: person.id })}
                />
              )}
            </People>
            <CodeForm page={page} onCode={letIn} />
          </section>
          <section aria-labelledby="paired">
            <h2 id="paired">{texts.paired}</h2>
            <People page={page} people={people.paired} owner={people.owner}>
              {(person) => (
                <Confirm
                  page={page}
                  label={texts.remove}
                  about={person.name}
                  onYes={() => void change({ act: "remove", user_id: person.id })}
                />
              )}
            </People>
          </section>
          <section aria-labelledby="listed">
            <h2 id="listed">{texts.listed}</h2>
            <ul class="items">
              {people.allowed.map((id) => (
                <li key={id} class="item">
                  {id} {id === people.owner && <span class="kind is-ok">{texts.owner}</span>}
                </li>
              ))}
            </ul>
            {people.allowed.length === 0 && <p class="quiet">{texts.nobody}</p>}
          </section>
        </>
      )}
    </>
  );
}

function People(props: {
  readonly page: Pick<Page, "feed" | "texts">;
  readonly people: readonly Person[];
  readonly owner: number | undefined;
  readonly children: (person: Person) => preact.ComponentChildren;
}) {
  const { page, people, owner, children } = props;
  const { care } = page.texts.value;
  const { people: texts } = care;
  if (people.length === 0) return <p class="quiet">{texts.nobody}</p>;
  return (
    <ul class="items">
      {people.map((person) => (
        <li key={person.id} class="item item-row">
          <span>
            <bdi>
              <b>{toVisibleText(person.name)}</b>
            </bdi>{" "}
            {person.id === owner && <span class="kind is-ok">{texts.owner}</span>}{" "}
            <span class="quiet">
              {person.id} · {agoOf(page, person.at)}
            </span>
          </span>
          {children(person)}
        </li>
      ))}
    </ul>
  );
}
