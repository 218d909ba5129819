import { createHmac, randomBytes } from "node:crypto";
import { structuredPatch } from "diff";
import { maskTexts } from "../../agent/session/session.ts";
import { toErrorText } from "../../channels/error-text.ts";
import type { SettingsFacts, SettingsRefusal } from "../../channels/http/http-channel.ts";
import {
  changeFile,
  checkText,
  editToml,
  openOwnFile,
  problemsIn,
} from "../../config/edit/edit.ts";
import { type ChangedKey, changedKeys } from "../../config/keys/keys.ts";
import { knownKeys, placeKey } from "../../config/known-keys.ts";
import { type LoadedConfig, noticesOf } from "../../config/load/load.ts";
import {
  hideFound,
  type MaskedToml,
  maskToml,
  redactorAfter,
  redactorOf,
  type TextProblem,
  unmaskToml,
} from "../../config/masked/masked.ts";
import { type ConfigFile, parseToml } from "../../config/places/places.ts";
import { findLines } from "../../config/toml/toml.ts";
import { isLooser } from "../../config/trust-changes.ts";
import { AppError } from "../../core/app-error.ts";
import { firstOf } from "../../core/few.ts";
import { createOneAtATime } from "../../core/one-at-a-time.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { App } from "../app/app.ts";

type Document = Readonly<Record<string, unknown>>;

/** A longer file is edited by hand. */
const MOST_CHARS = 256 * 1024;
/** Past this many changed lines a diff is no longer searched for its shortest form. */
const MAX_EDITS = 1500;
/** So many lines with something hidden are named. */
const MOST_HIDDEN = 20;
const ACTION = "Cannot change the configuration";

/** A file that may be shown. */
interface Opened {
  readonly file: ConfigFile;
  readonly masked: MaskedToml;
  readonly digest: string;
  readonly isThere: boolean;
}

/** A text that was found right. */
interface CheckedText {
  readonly text: string;
  readonly loaded: LoadedConfig;
  readonly changes: readonly Document[];
}

/** The configuration of the owner for pages, by the functions that load it and `config set` uses. */
export function createSettingsFacts(
  app: Pick<App, "current" | "reloading" | "env">,
): SettingsFacts {
  const { reloading } = app;
  const redact = (text: string) => app.current.agent.core.redact(text);
  const mask = <T>(document: T): T => maskTexts(document, redact);
  // Of a text with secrets in it nobody gets a hash that could be tried out.
  const key = randomBytes(32);
  const saving = createOneAtATime();
  const sources = () => ({ env: app.env, home: app.current.loaded.userHome });
  const digestOf = (text: string) => createHmac("sha256", key).update(text).digest("hex");

  /** @throws AppError with what keeps it from being shown */
  async function open(): Promise<Opened> {
    const { file, isNone } = await openOwnFile(reloading.source, ACTION);
    const { text } = file.toml;
    if (text.length > MOST_CHARS) throw toError(0, `longer than ${MOST_CHARS} characters`);
    const own = redactorOf(text, sources());
    const masking = maskToml(text, (part) => redact(own(part)));
    if (!masking.ok) throw toError(masking.problem.line, masking.problem.message);
    return { file, masked: masking.masked, digest: digestOf(text), isThere: !isNone };
  }

  /** The file with this digest, with the text that an edited one stands for. */
  async function check(
    { file, masked }: Opened,
    edited: string,
  ): Promise<CheckedText | readonly TextProblem[]> {
    try {
      // Before anything is put back: what cannot be read says so by what stands in the box.
      parseToml(file.path, file.shown, edited);
      const inForce = app.current.loaded.config;
      const after = redactorAfter(file.toml.text, inForce, sources());
      const found = unmaskToml(masked, edited, after);
      if (!found.ok) return found.problems;
      const { text } = found;
      const result = await checkText(reloading.source, file, text, edited);
      if (!result.ok) return hideFound(result.problems, text, redact);
      const { loaded } = result;
      return { text, loaded, changes: toChanges(app.current.loaded.config, loaded) };
    } catch (error) {
      return problemsIn(error);
    }
  }

  async function save(opened: Opened, edited: string): Promise<Document | SettingsRefusal> {
    const checked = await check(opened, edited);
    if (!isChecked(checked)) return { ...INVALID, problems: () => mask(checked.map(toProblem)) };
    const { file } = opened;
    const { text, changes } = checked;
    try {
      const loaded = await changeFile(reloading.source, file, { ok: true, text }, ACTION);
      return {
        path: file.path,
        digest: digestOf(text),
        ...mask({ ...noticesOf(loaded), changes }),
      };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refused: "failed", say: (_, texts) => redact(toErrorText(error, texts, "owner")) };
    }
  }

  async function withFile(
    edited: string,
    digest: string,
    use: (opened: Opened) => Promise<Document | SettingsRefusal>,
  ): Promise<Document | SettingsRefusal> {
    if (edited.length > MOST_CHARS) return refuseWith((say) => say.settingsTooLong(MOST_CHARS));
    try {
      const opened = await open();
      return opened.digest === digest ? await use(opened) : STALE;
    } catch (error) {
      return { ...STALE, problems: () => mask(problemsIn(error).map(toProblem)) };
    }
  }

  return {
    async read() {
      const path = app.current.loaded.source.path ?? null;
      try {
        const opened = await open();
        const { file, masked, digest, isThere } = opened;
        const text = toShown(masked);
        const checked = await check(opened, text);
        const problems = isChecked(checked) ? [] : checked.map(toProblem);
        const notices = isChecked(checked)
          ? noticesOf(checked.loaded)
          : { warnings: [], beside: null };
        return {
          ...mask({ path: file.path, problems, ...notices, hidden: hiddenIn(text) }),
          text,
          digest,
          exists: isThere,
          masks: masked.masks.length,
        };
      } catch (error) {
        return mask({ path, text: null, problems: problemsIn(error).map(toProblem) });
      }
    },
    keys: () =>
      knownKeys().map(({ key: name, node, allowed, values, facts }) => ({
        key: name,
        description: node.description ?? "",
        default: node.default ?? null,
        allowed,
        values,
        see_also: node.seeAlso ?? null,
        gate: facts.gate !== false && (facts.gate === true || facts.gate.length > 0),
        secret: facts.isSecret,
        restart: facts.needsRestart,
        program: facts.namesProgram,
      })),
    check: (edited, digest) =>
      withFile(edited, digest, async (opened) => {
        const checked = await check(opened, edited);
        const hidden = hiddenIn(edited);
        if (!isChecked(checked)) {
          return {
            problems: mask(checked.map(toProblem)),
            hidden,
            changes: [],
            hunks: [],
            added: 0,
            removed: 0,
          };
        }
        const { loaded, changes } = checked;
        const diff = toDiff(toShown(opened.masked), edited.replaceAll("\r\n", "\n"));
        return { problems: [], hidden, ...diff, ...mask({ ...noticesOf(loaded), changes }) };
      }),
    async insert(text, name) {
      try {
        const place = placeKey(parseToml("", "", text).value, name);
        if (!place) return refuseWith((say) => say.noKey(name));
        const { path, value } = place;
        const edited = await editToml(text, path, value);
        if (!edited.ok) return refuseWith((say) => say.keyNotPut(edited.reason));
        const line = (await findLines(edited.text))(lastPath(path, value, name));
        return { text: edited.text, line };
      } catch (error) {
        return { ...INVALID, problems: () => mask(problemsIn(error).map(toProblem)) };
      }
    },
    // Of many saves of one text the first counts, and the others are told that it is another by then.
    save: (edited, digest) =>
      saving("", NEVER, () => withFile(edited, digest, (opened) => save(opened, edited))),
  };
}

/** A save that was begun is carried out, whoever waits for it. */
const NEVER = new AbortController().signal;

const STALE: SettingsRefusal = {
  refused: "stale",
  say: (words) => words.otherSettings,
};
const INVALID: SettingsRefusal = { refused: "invalid", say: (words) => words.wrongSettings };

function refuseWith(say: SettingsRefusal["say"]): SettingsRefusal {
  return { ...INVALID, say, problems: (message) => [{ line: 0, key: "", message }] };
}

function toError(line: number, message: string): AppError {
  const problems = [{ file: "", line, key: "", message }];
  return new AppError("ERR_CONFIG_PARSE", message, { details: { problems } });
}

function isChecked(checked: CheckedText | readonly TextProblem[]): checked is CheckedText {
  return "loaded" in checked;
}

function toProblem({ line, key, message }: TextProblem): Document {
  return { line, key: toVisibleText(key), message: toVisibleText(message) };
}

/** As boxes of browsers have it. */
function toShown({ text }: MaskedToml): string {
  return text.replaceAll("\r\n", "\n");
}

/** What would be in force, key by key, and what each of them opens. */
function toChanges(
  before: LoadedConfig["config"],
  { config: after }: LoadedConfig,
): readonly Document[] {
  return changedKeys(before, after).map((change) => {
    const { key, line, before: was, facts } = change;
    return {
      key: toVisibleText(key),
      line: toVisibleText(line),
      before: toVisibleText(was),
      gate: isGate(change),
      looser: isLooser(key, facts.strictness, [before, after]),
      program: facts.namesProgram,
      secret: facts.isSecret,
      restart: facts.needsRestart,
    };
  });
}

function isGate({ key, line, facts: { gate } }: ChangedKey): boolean {
  if (typeof gate === "boolean") return gate;
  return gate.some((value) => line === `${key} = ${JSON.stringify(value)}`);
}

/** Lines with something in them that nobody sees in a box. */
function hiddenIn(text: string): readonly Document[] {
  const shown = text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .flatMap((line, at) => {
      const visible = toVisibleText(line);
      return visible === line ? [] : [{ line: at + 1, text: visible }];
    });
  return firstOf(shown, MOST_HIDDEN).take(() => {});
}

function toDiff(before: string, after: string): Document {
  const options = { context: 3, maxEditLength: MAX_EDITS };
  const patch = structuredPatch("", "", before, after, "", "", options);
  const count = (text: string) => text.split("\n").length - Number(text.endsWith("\n") || !text);
  const whole = { oldStart: 1, oldLines: count(before), newStart: 1, newLines: count(after) };
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines);
  const signed = (sign: string) => lines?.filter((line) => line.startsWith(sign)).length;
  const hunks = (patch?.hunks ?? [whole]).map(({ oldStart, oldLines, newStart, newLines }) => ({
    old_start: oldLines === 0 ? oldStart - 1 : oldStart,
    old_lines: oldLines,
    new_start: newLines === 0 ? newStart - 1 : newStart,
    new_lines: newLines,
  }));
  return { hunks, added: signed("+") ?? whole.newLines, removed: signed("-") ?? whole.oldLines };
}

/** The key itself, where a whole entry was put in for it. */
function lastPath(path: readonly (string | number)[], value: unknown, name: string) {
  const last = name.split(".").at(-1) ?? "";
  const isEntry = typeof value === "object" && value !== null && last in value;
  return isEntry && path.at(-1) !== last ? [...path, last] : path;
}
