import { toVisibleText } from "../../../core/visible-text.ts";
import { agoOf } from "../../figures/figures.tsx";
import type { Page } from "../../page/page.ts";
import { subjectOf, type Texts } from "../../texts/texts.ts";
import { Failure } from "./failure.tsx";
import { useRead } from "./use-read.ts";
import { type Finding, readDoctor, STATES } from "./wire.ts";

/** What `papayu doctor` finds: what is wrong stands first. */
export function DoctorView({ page }: { readonly page: Page }) {
  const { care } = page.texts.value;
  const { doctor: texts } = care;
  const { value, failure, isBusy, again } = useRead(page, "/api/doctor", readDoctor);
  const looked = value.value;
  const count = (state: Finding["state"]) =>
    looked?.findings.filter((each) => each.state === state).length ?? 0;
  const sorted = STATES.flatMap(
    (state) => looked?.findings.filter((each) => each.state === state) ?? [],
  );
  return (
    <>
      <h1>{care.parts.doctor}</h1>
      <p class="quiet">
        <span role="status">
          {isBusy.value ? texts.looking : looked && texts.sum(count("failed"), count("warning"))}
        </span>
        {!isBusy.value && looked && ` · ${agoOf(page, looked.at)}`}
      </p>
      <Failure text={failure.value} />
      <div class="row-of-acts">
        <button
          type="button"
          class={`act other ${isBusy.value ? "off" : ""}`}
          aria-disabled={isBusy.value}
          onClick={() => {
            if (!isBusy.value) void again();
          }}
        >
          {texts.again}
        </button>
      </div>
      <ul class="items">
        {sorted.map((finding, at) => (
          <FindingRow key={at} texts={page.texts.value} finding={finding} />
        ))}
      </ul>
    </>
  );
}

function FindingRow({ texts, finding }: { readonly texts: Texts; readonly finding: Finding }) {
  const { doctor } = texts.care;
  const { name, state, found, mend } = finding;
  return (
    <li class="item finding">
      <h2>
        <span class={`kind is-${state}`}>{doctor.states[state]}</span>{" "}
        <bdi>{subjectOf(name, texts)}</bdi>
      </h2>
      <p dir="auto">{toVisibleText(found)}</p>
      {mend !== "" && (
        <p class="mend">
          <span class="quiet">{doctor.mend}</span> <bdi>{toVisibleText(mend)}</bdi>
        </p>
      )}
    </li>
  );
}
