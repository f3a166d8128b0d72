import { hexToBytes } from '@noble/hashes/utils.js';
import { readHeader } from '../../verifier/evidence/ledger-header.ts';
import type { AttestationRecord } from './attestation-record.ts';
import type { AttestedLedger, AttestingFold, PendingLedger } from './attesting-fold.ts';
import type { CollectedValidations } from './collected-validations.ts';
import type { LedgerPace } from './ledger-pace.ts';
import { tryEach } from './try-each.ts';

export interface AttestingDeps {
  readonly record: AttestationRecord;
  readonly collected: CollectedValidations;
  readonly fold: AttestingFold;
  readonly pace: LedgerPace;
  /** Called for a ledger that is neither this attested one nor an ancestor of it. */
  readonly onForked: (ledger: PendingLedger, attested: AttestedLedger) => void;
}

/**
 * Records the word of the ledger's validators for every ledger in which we have a transaction, if
 * their validations were heard. Each step may fail at any point and be repeated.
 */
export class Attesting {
  readonly #deps: AttestingDeps;
  /** Revision of the fold up to which settled ledgers are forgotten. */
  #forgottenAt = -1;
  #isStopped = false;

  constructor(deps: AttestingDeps) {
    this.#deps = deps;
  }

  /** Attests what can be now. Rejects, after trying all, if the store or every server fails. */
  async attest(): Promise<void> {
    const { fold, pace } = this.#deps;
    if (this.#forgottenAt !== fold.revision) pace.forgetSettled(fold.pending);
    this.#forgottenAt = fold.revision;
    await tryEach(
      this.#heard(),
      (ledger) => this.#attest(ledger),
      () => this.#isStopped,
    );
  }

  /** Lets running calls end early. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Pending ledgers of which validations were heard, ascending: most pending ones may be old. */
  #heard(): readonly PendingLedger[] {
    const { fold, collected } = this.#deps;
    const heard = [...collected.hashes()].flatMap((hash) => fold.withHash(hash.toUpperCase()));
    return heard.sort((a, b) => a.ledgerIndex - b.ledgerIndex);
  }

  async #attest(ledger: PendingLedger): Promise<void> {
    const { collected, record, pace } = this.#deps;
    const { ledgerId, ledgerIndex: index, ledgerHash, ledgerHeader, closeTime } = ledger;
    const found = collected.quorumOf({ index, hash: ledgerHash.toLowerCase(), closeTime });
    if (found === null || (!found.isComplete && pace.mayGrow(ledger))) return;
    if (await isSettled(ledger, this.#deps)) return;
    if (!pace.mayTry(ledger)) return;
    const leaves = await record.leavesOf(ledger);
    if (leaves === null) return;
    const header = readHeader(hexToBytes(ledgerHeader));
    await record.attested({ ledgerId, header, leaves }, found);
  }
}

/**
 * True if a ledger of this index is attested on record. Then nothing is left to do for this one: if
 * it is another one, nothing can attest it any more.
 */
export async function isSettled(
  ledger: PendingLedger,
  { record, fold, onForked }: Pick<AttestingDeps, 'record' | 'fold' | 'onForked'>,
): Promise<boolean> {
  const recorded = await record.find(ledger);
  if (recorded === null) return false;
  if (recorded.ledgerHash !== ledger.ledgerHash) onForked(ledger, recorded);
  fold.drop(ledger);
  return true;
}
