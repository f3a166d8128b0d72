import { BadEvidence } from './bad-evidence.ts';
import { type Count, countValidations } from './count-validations.ts';
import type { LedgerHeader } from './ledger-header.ts';
import type { Manifest } from './manifest.ts';
import { trustedList } from './trusted-list.ts';
import type { Validation } from './validation.ts';
import type { SignedBlob, VerifiedList } from './validator-list.ts';

/** A ledger that a quorum of a trusted publisher's validators has validated. */
export interface Attestation extends Count {
  readonly list: VerifiedList;
}

/**
 * Verifies the word of the ledger's validators: the list is by a trusted publisher (master keys,
 * upper-case hex) and was in force when the ledger closed, and a quorum of its validators signed the
 * ledger. Throws `BadEvidence`.
 */
export function verifyAttestation(
  ledger: LedgerHeader,
  evidence: {
    readonly validatorList: SignedBlob;
    /** Manifests that are newer than the list. */
    readonly manifests: readonly Manifest[];
    readonly validations: readonly Validation[];
  },
  publisherKeys: readonly string[],
): Attestation {
  const list = trustedList(evidence.validatorList, ledger.closeTime, publisherKeys);
  const count = countValidations(ledger, evidence.validations, list, {
    newerManifests: evidence.manifests,
  });
  demandQuorum(ledger, count);
  return { list, ...count };
}

/** Throws `BadEvidence` if too few listed validators validated the ledger. */
export function demandQuorum(
  { index }: Pick<LedgerHeader, 'index'>,
  { listed, needed, counted }: Count,
): void {
  if (counted.length >= needed) return;
  const why = `${counted.length} of the ${listed} listed validators validated ledger ${index}, but ${needed} are needed`;
  throw new BadEvidence('quorum', why);
}
