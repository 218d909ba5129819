import {
  type ChangeSet,
  type FileContent,
  json,
  readChangeSet,
  readContent,
} from "../../client/client.ts";

/** Something wrong with the text; line 0: with no line of it. */
export interface Problem {
  readonly line: number;
  readonly key: string;
  readonly message: string;
}

/** A line with something in it that nobody sees in a box. */
export interface Hidden {
  readonly line: number;
  readonly text: string;
}

/** Another file that was found, of which nothing is said by the text in the box. */
export interface FoundConfig {
  readonly path: string;
  readonly why: string;
  readonly reason: string;
  readonly ignored: Named;
  readonly held: Named;
}

/** Names, and how many more there are. */
export interface Named {
  readonly names: readonly string[];
  readonly left: number;
}

/** The file as it may be shown. */
export interface Settings {
  readonly path: string;
  /** Undefined: it cannot be shown. */
  readonly text: string | undefined;
  readonly digest: string;
  readonly exists: boolean;
  readonly masks: number;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly beside: FoundConfig | undefined;
  readonly hidden: readonly Hidden[];
}

/** What a key opens or asks for. */
export const FACTS = ["gate", "program", "looser", "secret", "restart"] as const;
/** One of {@link FACTS}. */
export type Fact = (typeof FACTS)[number];

/** A key that would be another. */
export interface Change {
  readonly line: string;
  readonly before: string;
  readonly facts: readonly Fact[];
}

/** What a text would mean. */
export interface Checked {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly beside: FoundConfig | undefined;
  readonly hidden: readonly Hidden[];
  readonly changes: readonly Change[];
  readonly hunks: FileContent["hunks"];
  readonly added: number;
  readonly removed: number;
}

/** A key that there is. */
export interface KnownKey {
  readonly key: string;
  readonly description: string;
  readonly initial: unknown;
  readonly allowed: string;
  /** Where there are few, each as it is written. */
  readonly values: readonly string[];
  readonly facts: readonly Fact[];
}

const { fields, list, text, number, maybe } = json;

/** Reads what `GET /api/settings/config` gives. */
export function readSettings(value: unknown): Settings {
  const it = fields(value);
  return {
    path: text(it["path"]),
    text: maybe(it["text"], text),
    digest: text(it["digest"]),
    exists: it["exists"] === true,
    masks: number(it["masks"]),
    ...readFindings(it),
  };
}

/** Reads what `POST /api/settings/config/check` gives. */
export function readChecked(value: unknown): Checked {
  const it = fields(value);
  return {
    ...readFindings(it),
    changes: list(it["changes"]).map((each) => {
      const change = fields(each);
      return {
        line: text(change["line"]),
        before: text(change["before"]),
        facts: FACTS.filter((fact) => change[fact] === true),
      };
    }),
    hunks: readContent(value).hunks,
    added: number(it["added"]),
    removed: number(it["removed"]),
  };
}

/** Reads what `GET /api/settings/keys` gives. */
export function readKeys(value: unknown): readonly KnownKey[] {
  return list(fields(value)["keys"]).map((each) => {
    const it = fields(each);
    return {
      key: text(it["key"]),
      description: text(it["description"]),
      initial: it["default"] ?? undefined,
      allowed: text(it["allowed"]),
      values: list(it["values"]).map(text),
      facts: FACTS.filter((fact) => it[fact] === true),
    };
  });
}

/** Reads what `POST /api/settings/config/key` gives. */
export function readInserted(value: unknown): { readonly text: string; readonly line: number } {
  const it = fields(value);
  return { text: text(it["text"]), line: number(it["line"]) };
}

function readFindings(it: Readonly<Record<string, unknown>>) {
  return {
    problems: list(it["problems"]).map((each) => {
      const { line, key, message } = fields(each);
      return { line: number(line), key: text(key), message: text(message) };
    }),
    warnings: list(it["warnings"]).map(text),
    beside: maybe(it["beside"], readFoundConfig),
    hidden: list(it["hidden"]).map((each) => {
      const { line, text: shown } = fields(each);
      return { line: number(line), text: text(shown) };
    }),
  };
}

function readFoundConfig(value: unknown): FoundConfig {
  const { path, why, reason, ignored, held } = fields(value);
  return {
    path: text(path),
    why: text(why),
    reason: text(reason),
    ignored: readNamed(ignored),
    held: readNamed(held),
  };
}

function readNamed(value: unknown): Named {
  const { names, left } = fields(value);
  return { names: list(names).map(text), left: number(left) };
}

/** The edited file as a change set of one, which is read like any. */
export function toChangeSet(path: string, { added, removed }: Checked): ChangeSet {
  const files = [{ n: 0, path, kind: "update", added, removed }];
  return {
    ...readChangeSet({ files }),
    approval_id: "settings",
    digest: "settings",
    state: "approved",
  };
}
