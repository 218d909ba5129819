import type { TSchema } from "typebox";
import type { Strictness } from "./strictness.ts";

interface Common {
  /**
   * Who may set the key from a chat: a model with the `config` tool, or only a person; or nobody
   * there: it is set in the file, where a yes to a question does not do.
   */
  readonly owner: "model" | "person" | "file";
  /** Whether a change lets others in or locks the owner out; a list: when it is one of these. */
  readonly gate: boolean | readonly string[];
  /** A change takes effect with the next start, not at once. */
  readonly restart: boolean;
  /** A secret: it is masked wherever the configuration is shown. */
  readonly writeOnly: boolean;
  /** It names a program that papa-yu starts, or what that is started with. */
  readonly runs: boolean;
}

/** What may have a secret in it says where that goes; nothing else has to. */
type Reach =
  | { readonly writeOnly: false; readonly runs: false; readonly goesBy?: never }
  | {
      /**
       * The keys of its table that decide where it goes: with another value of one it is sent or given
       * to somebody else. In a list an entry may take the place of another, so its name is one.
       */
      readonly goesBy: readonly string[];
    };

/** How the key is treated once it is in force. */
export type Handling = Common & Reach;

/** What the program has to know of a key besides its type; all of it is on the key's node. */
export type KeyFacts = Handling & {
  /** What a configuration that was only found may do with the key. */
  readonly strictness: Strictness;
};

/** What people read of a key: what it means, and its default or, without one, an example. */
export type Documented = {
  readonly description: string;
  /** A page below docs/ that says more. */
  readonly seeAlso?: string;
} & ({ readonly default: unknown } | { readonly examples: readonly unknown[] });

/** A key with all its facts: one that lacks any does not compile in a table or an entry. */
export type Key = TSchema & Documented & KeyFacts;

/** Puts its facts on a key. */
export function key<T extends TSchema & Documented>(
  schema: T,
  { strictness }: Pick<KeyFacts, "strictness">,
  handling: Handling,
): T & KeyFacts {
  return Object.assign(schema, { strictness, ...handling });
}

/** Puts on a schema what people read of it. */
export function documented<T extends TSchema, D extends Documented>(schema: T, docs: D): T & D {
  return Object.assign(schema, docs);
}

/** What a model may set when it is asked to. */
export const BY_MODEL = {
  owner: "model",
  gate: false,
  writeOnly: false,
  restart: false,
  runs: false,
} satisfies Handling;
/** What only a person sets: it holds the agent, spends money, grants something or locks out. */
export const BY_PERSON = { ...BY_MODEL, owner: "person" } satisfies Handling;

/** What its owner sets in the file, or with `papayu config set`, and no chat whoever says yes. */
export const IN_FILE = { ...BY_MODEL, owner: "file" } satisfies Handling;

/** The keys of a table that decide where a secret in it goes; "nowhere": it is only compared. */
export type Deciding = readonly [string, ...string[]] | "nowhere";

/** A secret, which only a person sets. Nobody may have it sent elsewhere who sees but its mask. */
export function secret(goesBy: Deciding): Handling {
  return { ...BY_PERSON, writeOnly: true, goesBy: keysOf(goesBy) };
}

function keysOf(goesBy: Deciding): readonly string[] {
  return goesBy === "nowhere" ? [] : goesBy;
}

/** What is bound once, at the start. */
export function atStart(handling: Handling): Handling {
  return { ...handling, restart: true };
}

/** What names a program; words of its command line may be secret, and go where these keys say. */
export function asProgram(handling: Handling, goesBy: Deciding): Handling {
  return { ...handling, runs: true, goesBy: keysOf(goesBy) };
}

/** What lets others in or locks the owner out, with any value or with one of those given. */
export function asGate(handling: Handling, values: true | readonly string[] = true): Handling {
  return { ...handling, gate: values };
}

type StrictnessFact = Pick<KeyFacts, "strictness">;

/** What only the owner's own file says: an endpoint, a name, a channel, a format. */
export const NOT_TAKEN: StrictnessFact = { strictness: { order: "none" } };
/** A limit. */
export const SMALLER: StrictnessFact = { strictness: { order: "smaller" } };
/** A limit that 0 lifts. */
export const SMALLER_BUT_0: StrictnessFact = { strictness: { order: "smaller", zero: "no limit" } };
/** A limit that 0 leaves to papa-yu, which is neither smaller nor larger. */
export const SMALLER_OR_0: StrictnessFact = {
  strictness: { order: "smaller", zero: "of its own" },
};
/** A list of what is allowed. */
export const FEWER: StrictnessFact = { strictness: { order: "fewer" } };
/** People who are let in; the first one is the owner, who is told what the others do. */
export const FEWER_PEOPLE: StrictnessFact = { strictness: { order: "fewer", keeps: "first" } };
/** A list of what is forbidden. */
export const MORE: StrictnessFact = { strictness: { order: "more" } };
/** The folders that may be worked in. */
export const FOLDERS: StrictnessFact = { strictness: { order: "folders" } };

/** A few values, the strictest one first. */
export function listed(...values: readonly (string | boolean)[]): StrictnessFact {
  return { strictness: { order: "listed", values } };
}

/** A switch that opens something. */
export const OFF = listed(false, true);
/** A switch that closes something. */
export const ON = listed(true, false);
