import { toVisibleText } from "../../../core/visible-text.ts";
import type { Page } from "../../page/page.ts";
import type { Texts } from "../../texts/texts.ts";
import { Failure } from "./failure.tsx";
import { useRead } from "./use-read.ts";
import { type Amount, type Payer, readSpending } from "./wire.ts";

/** What models took today and this month, beside the caps. */
export function SpendingView({ page }: { readonly page: Page }) {
  const { care, loading } = page.texts.value;
  const { spending: texts } = care;
  const { value, failure } = useRead(page, "/api/spending", readSpending);
  const spent = value.value;
  return (
    <>
      <h1>{care.parts.spending}</h1>
      <Failure text={failure.value} />
      {!spent && failure.value === undefined && <p class="waiting">{loading}</p>}
      {spent && (
        <>
          <p class="quiet">{texts.days(spent.day, spent.since)}</p>
          <div class="spent" role="region" aria-label={care.parts.spending} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{texts.who}</th>
                  <th scope="col">{texts.today}</th>
                  <th scope="col">{texts.cap}</th>
                  <th scope="col">{texts.month}</th>
                </tr>
              </thead>
              <tbody>
                <Row texts={page.texts.value} name={texts.all} payer={spent.all} />
                {spent.payers.map((payer) => (
                  <Row
                    key={payer.routine}
                    texts={page.texts.value}
                    name={payer.routine === undefined ? texts.others : toVisibleText(payer.routine)}
                    payer={payer}
                  />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
}

function Row(props: { readonly texts: Texts; readonly name: string; readonly payer: Payer }) {
  const { texts: all, name, payer } = props;
  const { today, month, caps } = payer;
  const { language } = all;
  const { spending: texts } = all.care;
  const parts = [
    { unit: texts.tokens, most: caps.tokens, spent: today.tokens },
    { unit: texts.cost, most: caps.cost, spent: today.cost },
  ].filter(({ most }) => most > 0);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td>
        <Figure language={language} texts={texts} amount={today} />
      </td>
      <td>
        {parts.length === 0 && <span class="quiet">{texts.noCap}</span>}
        {parts.map(({ unit, most, spent }) => (
          <div key={unit}>
            <meter
              min={0}
              max={most}
              high={most * 0.8}
              optimum={0}
              value={Math.min(spent, most)}
              aria-label={`${name}, ${unit}`}
            />{" "}
            {texts.of(Math.round((spent / most) * 100), toFigure(most, language), unit)}
          </div>
        ))}
      </td>
      <td>
        <Figure language={language} texts={texts} amount={month} />
      </td>
    </tr>
  );
}

function Figure(props: {
  readonly texts: Texts["care"]["spending"];
  readonly language: string;
  readonly amount: Amount;
}) {
  const { texts, language, amount } = props;
  const { tokens, cost } = amount;
  return (
    <>
      {toFigure(tokens, language)} {texts.tokens}
      {cost > 0 && ` · ${texts.cost} ${toFigure(cost, language)}`}
    </>
  );
}

function toFigure(value: number, language: string): string {
  return value.toLocaleString(language, { maximumSignificantDigits: value < 1 ? 2 : 6 });
}
