import { useMemo } from "preact/hooks";
import { toVisibleText } from "../../../core/visible-text.ts";
import { type Act, type Unkept, type Unsent, whyNotKept } from "../../client/client.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Review, ReviewFile } from "./model/model.ts";
import {
  ALL,
  isLeftOut,
  isLookedAt,
  type NotKept,
  notKeptOf,
  type Person,
  placeKey,
  toParts,
} from "./person/person.ts";

/** What a person drafted of a change set and no press has sent. */
export function toUnsent({
  files,
  person: { comments, picks },
}: Pick<Review, "files" | "person">): Unsent {
  const unticked = toParts(picks.now.value);
  return { comments: said(comments).length, unticked, files: countFiles(files(), picks) };
}

/** Of two names one file, without the folders, unless there is nothing else. */
function countFiles(files: readonly ReviewFile[], { now }: Person["picks"]): number {
  const out = files.filter(({ entry }) => isLeftOut(now.value, entry.path));
  return out.filter(({ entry }) => isLookedAt(entry)).length || out.length;
}

/** The press that sends the comments. */
export function toChange(
  { revise: label }: Texts,
  { id: ref, person }: Pick<Review, "id" | "person">,
): Act {
  const comments = said(person.comments);
  return { act: "revise", ref, label, ...(comments.length > 0 && { revision: { comments } }) };
}

function said({ all }: Person["comments"]) {
  return all.value.filter(({ text }) => text.trim() !== "");
}

/** What was written and not sent, and what of it could not be kept: here, or of the version before. */
export function UnsentView({
  texts,
  person,
  unkept,
  before,
}: {
  readonly texts: Texts;
  readonly person: Person;
  readonly unkept: Pick<Unkept, "drafts" | "unticked">;
  readonly before: string | undefined;
}) {
  const late = useMemo(() => before && notKeptOf(unkept.drafts, before), [unkept, before]);
  const notLeft = whyNotKept(unkept.unticked, ({ id }) => id === before);
  return (
    <>
      {late && late.refused.value.length > 0 && <Refused texts={texts} notKept={late} />}
      {notLeft !== undefined && (
        <div class="unsent">
          <span role="alert">{texts.leave.failed(toVisibleText(notLeft))}</span>
        </div>
      )}
      <OwnUnsent texts={texts} person={person} />
    </>
  );
}

function OwnUnsent({ texts, person }: { readonly texts: Texts; readonly person: Person }) {
  const { comments, picks, seen } = person;
  const { failure, refused } = comments;
  const count = said(comments).length;
  const isLeaving = picks.now.value.size > 0;
  const takeIn = isLeaving && (
    <button type="button" class="act other" onClick={() => picks.set(ALL)}>
      {texts.leave.all}
    </button>
  );
  const mayRevise = person.mayRevise();
  if (!mayRevise && failure.value !== undefined) {
    return <Refused texts={texts} notKept={comments} />;
  }
  if (!person.mayLook()) {
    if (count === 0) return null;
    return (
      <div class="unsent">
        <span role="status">{texts.comment.notSent(count)}</span>
      </div>
    );
  }
  const notKept = [
    { why: failure.value, say: texts.comment.failed },
    { why: picks.failure.value, say: texts.leave.failed },
    { why: seen.failure.value, say: texts.seen.failed },
  ].flatMap(({ why, say }) => (why === undefined ? [] : [say(toVisibleText(why))]));
  const isQuiet = !mayRevise || (comments.all.value.length === 0 && refused.value.length === 0);
  // Where no yes counts, what was unticked can be taken in again all the same.
  if (isQuiet && !isLeaving && notKept.length === 0) return null;
  return (
    <div class="unsent">
      {mayRevise && count > 0 && <span role="status">{texts.comment.waiting(count)}</span>}
      {notKept.map((note) => (
        <span key={note} role="alert">
          {note}
        </span>
      ))}
      {takeIn}
    </div>
  );
}

/** What was written of what is answered or replaced by now: it can be copied, and let go. */
function Refused({ texts, notKept }: { readonly texts: Texts; readonly notKept: NotKept }) {
  const { failure, refused } = notKept;
  return (
    <div class="unsent">
      <span role="alert">{texts.comment.failed(toVisibleText(failure.value ?? ""))}</span>
      <ul class="plain">
        {refused.value.map((comment) => (
          <li key={placeKey(comment)}>{toVisibleText(comment.text)}</li>
        ))}
      </ul>
      {refused.value.length > 0 && (
        <button type="button" class="act other" onClick={() => notKept.dropRefused()}>
          {texts.comment.drop}
        </button>
      )}
    </div>
  );
}
