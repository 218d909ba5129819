import { AppError } from "../../core/app-error.ts";
import { newId } from "../../core/ids.ts";
import { sha256 } from "../../core/sha256.ts";
import { writeDurably } from "../../system/write-durably.ts";
import { claimIdentity } from "../../workspace/identity.ts";
import type { Ledger } from "../../workspace/ledger.ts";
import type { ChangeSet } from "../change.ts";
import {
  createSealer,
  type ForeignReason,
  type ForeignTransaction,
  type JournalClaims,
  listForeign,
  toFirstRecord,
  toLastRecord,
  toRow,
} from "../journal/journal.ts";
import { type LockRequest, withWorkspaceLock } from "../lock.ts";
import { type RecoverOptions, type Recovery, recoverLeftovers } from "../recover/recover.ts";
import { journalPath } from "../stage/stage.ts";
import { openTree } from "../tree.ts";
import { type Conflict, computeReversal } from "./undo.ts";

/** Which transaction to make this home's own. */
export interface AdoptRequest extends LockRequest, RecoverOptions {
  readonly txId: string;
  /** The {@link Adoption.id} that a person said yes to. */
  readonly approved?: string;
}

/** The effect of an adoption, worked out against the files as they are now. */
export interface Adoption {
  /** A hash over the transaction and everything its roll-back would do. */
  readonly id: string;
  readonly txId: string;
  readonly why: ForeignReason;
  readonly claims: JournalClaims;
  /** What the roll-back would do: at once if it is unfinished, else with an undo. */
  readonly changeSet: ChangeSet;
  /** Files that the roll-back would leave as they are. */
  readonly conflicts: readonly Conflict[];
}

/** How it ended. */
export type AdoptResult =
  /** Nobody has said yes to this yet; nothing was changed. */
  | { readonly kind: "asked"; readonly adoption: Adoption }
  /** It is history now, and can be undone. */
  | { readonly kind: "adopted"; readonly adoption: Adoption }
  /** It was unfinished, and was rolled back. */
  | {
      readonly kind: "recovered";
      readonly adoption: Adoption;
      readonly recovered: readonly Recovery[];
    };

/**
 * Makes a transaction that this home does not vouch for its own, if a person who saw what it
 * leads to said yes: one of before journals were sealed, of another home, or of a lost key.
 *
 * @throws AppError ERR_ADOPT when there is none, or what is there is no whole journal
 */
export function adopt(request: AdoptRequest): Promise<AdoptResult> {
  const { workspace } = request;
  const { ledger } = workspace;
  if (!ledger) throw new Error(`no home vouches for transactions in ${workspace.root}`);
  return withWorkspaceLock(request, "recover --adopt", async () => {
    recoverLeftovers(workspace, request);
    const adoption = prepare(request);
    if (request.approved !== adoption.id) return { kind: "asked", adoption };
    write(request, ledger, adoption);
    const recovered = recoverLeftovers(workspace, request);
    const { outcome } = adoption.claims;
    return outcome ? { kind: "adopted", adoption } : { kind: "recovered", adoption, recovered };
  });
}

function prepare({ workspace, txId, clock }: AdoptRequest): Adoption {
  // The newest id is what the next one has to be above.
  if (txId > newId("tx", clock.now())) throw refusal(txId, "its id is of the future");
  const { why, claims } = find(listForeign(workspace).items, txId);
  const { header } = claims;
  const { changeSet, conflicts } = computeReversal(workspace, { txId, changes: header.changes });
  const effects = [txId, header, claims.outcome ?? null, changeSet.id, conflicts];
  return { id: sha256(JSON.stringify(effects)), txId, why, claims, changeSet, conflicts };
}

function find(
  foreign: readonly ForeignTransaction[],
  wanted: string,
): { readonly why: ForeignReason; readonly claims: JournalClaims } {
  const found = foreign.find(({ txId }) => txId === wanted);
  if (found?.claims) return { why: found.why, claims: found.claims };
  const others = foreign.filter(({ claims }) => claims).map(({ txId }) => txId);
  const reason = found ? "its journal is damaged" : "no transaction of elsewhere has this id";
  const known = others.length === 0 ? "there is none to adopt" : `it may be ${others.join(", ")}`;
  throw refusal(wanted, `${reason}; ${known}`);
}

function refusal(wanted: string, reason: string): AppError {
  return new AppError("ERR_ADOPT", `Cannot adopt "${wanted}": ${reason}`);
}

/** An unfinished one is noted in the home first, a finished one last: a crash undoes neither. */
function write({ workspace, txId }: AdoptRequest, ledger: Ledger, { claims }: Adoption): void {
  const transaction = { workspaceId: claimIdentity(workspace, ledger), txId };
  const { header, outcome } = claims;
  if (!outcome) {
    ledger.begin(transaction, toRow(header, transaction, workspace.root));
    return; // recovery writes its journal anew when it is back
  }
  const sealer = createSealer(ledger.key(), transaction);
  const lines = [toFirstRecord(header, transaction), toLastRecord(outcome)].map((each) =>
    sealer.toLine(each),
  );
  using tree = openTree(workspace.root);
  writeDurably(tree.at(journalPath(txId)), Buffer.concat(lines));
  ledger.keep(transaction, sealer.last);
}
