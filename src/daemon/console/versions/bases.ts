import type { Sign } from "../../../channels/http/http-channel.ts";
import type { Settings } from "../../../store/settings/settings.ts";
import type { ChangeSet } from "../../../transaction/change.ts";
import { type Base, findBases } from "./looked.ts";

/** The version that another one is compared with, and its changes as long as they can be read. */
export interface ReadBase extends Base {
  readonly changeSet: ChangeSet | undefined;
}

/** A question whose change set is compared with one before it. */
export interface Compared {
  readonly approvalId: string;
  readonly changeSetId: string;
  /** Whether whoever asks ticked a file of a question; undefined: it is not them who were asked. */
  readonly isTicked: ((approvalId: string) => boolean) | undefined;
}

/** Versions that others are compared with. */
export interface Bases {
  /**
   * The version that whoever asks has looked at, or the one just before; the first of these that can
   * be read. What was found last is held, unless `isAnew`: files are read one by one.
   */
  of(compared: Compared, isAnew: boolean): Promise<ReadBase | undefined>;
}

interface Readers {
  readonly settings: () => Settings;
  /** Others as soon as something was ticked. */
  readonly signs: () => readonly Sign[];
  /** What a question was about; undefined: there is none, or it is not for whoever asks. */
  readonly read: (
    approvalId: string,
  ) => Promise<{ readonly changeSet?: ChangeSet | undefined } | undefined>;
}

/** Nothing was found yet. */
export function createBases({ settings, signs, read }: Readers): Bases {
  let last: { readonly key: string; readonly base: Promise<ReadBase | undefined> } | undefined;

  async function find({ approvalId, isTicked }: Compared): Promise<ReadBase | undefined> {
    let unread: ReadBase | undefined;
    for (const base of findBases(settings(), approvalId, isTicked)) {
      const found = await read(base.approvalId);
      if (!found) continue;
      const { changeSet } = found;
      if (changeSet) return { ...base, changeSet };
      unread ??= { ...base, changeSet };
    }
    return unread;
  }

  return {
    async of(compared, isAnew) {
      const { approvalId, changeSetId } = compared;
      if (!settings().of("earlier.").has(approvalId)) return undefined;
      const key = JSON.stringify([approvalId, changeSetId, signs()]);
      if (isAnew || last?.key !== key) last = { key, base: find(compared) };
      const own = last;
      try {
        return await own.base;
      } catch (error) {
        if (last === own) last = undefined;
        throw error;
      }
    },
  };
}
