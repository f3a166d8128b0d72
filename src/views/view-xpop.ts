import { hexToBytes } from '@noble/hashes/utils.js';
import type { LedgerAttested } from '../domain/attestation/events.ts';
import { requireAnchored } from '../domain/proof/require-anchored.ts';
import type { CompletedProof, VisibleProof } from '../domain/proof/state.ts';
import { Refusal } from '../domain/refusal.ts';
import type { EventStore } from '../event-store/event-store.ts';
import {
  loadAttestation,
  loadValidatorLists,
  type RecordedList,
} from '../loading/load-attestation.ts';
import { BadEvidence } from '../verifier/evidence/bad-evidence.ts';
import { decodeBase64 } from '../verifier/evidence/base64.ts';
import { readHeader } from '../verifier/evidence/ledger-header.ts';
import { maxValidationBytes } from '../verifier/evidence/limits.ts';
import { pathFromLeaves } from '../verifier/evidence/path-from-leaves.ts';
import { readValidation, type Validation } from '../verifier/evidence/validation.ts';
import { buildXpop, type XpopEvidence } from '../verifier/xpop/build-xpop.ts';
import type { Xpop } from '../verifier/xpop/xpop.ts';
import { listsToTry } from './lists-to-try.ts';

/** Forms of the transaction tree in an XPOP. */
export const xpopForms = ['list', 'tree'] as const;
export type XpopForm = (typeof xpopForms)[number];

/**
 * The XPOP of a proof (XLS-41), from recorded events alone. Verifies every signature in it, which
 * takes up to some hundred ms of processor time. Refuses with PROOF_NOT_ANCHORED, or with
 * PROOF_NOT_ATTESTED while no validations are on record for its ledger. Refuses with
 * XPOP_NOT_POSSIBLE if the evidence has parts that XLS-41 cannot express.
 */
export async function viewXpop(
  store: Pick<EventStore, 'readStream' | 'readLast'>,
  proof: VisibleProof,
  form: XpopForm,
): Promise<Xpop> {
  requireAnchored(proof);
  const { request, anchor } = proof;
  const { ledgerIndex } = anchor;
  const attestation = await loadAttestation(store, anchor);
  if (attestation === null) {
    throw new Refusal(
      'PROOF_NOT_ATTESTED',
      `the signatures of a quorum of validators are not on record for ledger ${ledgerIndex} yet; try again in a few seconds, or use the proof bundle`,
    );
  }
  if (attestation.type === 'LedgerLinked') {
    throw new Refusal(
      'XPOP_NOT_POSSIBLE',
      `ledger ${ledgerIndex} is proven by the validators of ledger ${attestation.data.attestedIndex} and the headers between them, which an XPOP cannot contain; use the proof bundle`,
    );
  }
  const { validatorLists: named } = attestation.data;
  const lists = await loadValidatorLists(store, request.network, named);
  const evidence = evidenceOf(proof, attestation.data);
  for (const list of listsToTry(lists, named, evidence.header.closeTime)) {
    const xpop = xpopBy(list, evidence, form);
    if (xpop !== null) return xpop;
  }
  throw new Refusal(
    'XPOP_NOT_POSSIBLE',
    `validators signed ledger ${ledgerIndex} with newer keys than the validator lists contain, which an XPOP cannot show; use the proof bundle`,
  );
}

function evidenceOf(
  { prepared, anchor }: CompletedProof,
  { leaves, ledgerHeader, validations }: LedgerAttested['data'],
): Omit<XpopEvidence, 'list'> {
  return {
    item: { blob: hexToBytes(prepared.blob), metadata: hexToBytes(anchor.metadata) },
    path: pathFromLeaves(Buffer.from(leaves, 'base64'), anchor.transactionHash),
    header: readHeader(hexToBytes(ledgerHeader)),
    validations: validations.flatMap(readIfWell),
  };
}

/** Leaves out a malformed validation: the others may be a quorum. */
function readIfWell(validation: string): readonly Validation[] {
  try {
    return [readValidation(decodeBase64(validation, maxValidationBytes, 'a validation'))];
  } catch (error) {
    if (error instanceof BadEvidence) return [];
    throw error;
  }
}

/** Null if the validations are not a quorum of this list alone. */
function xpopBy(
  { publisherKey, manifest, blob, signature }: RecordedList,
  evidence: Omit<XpopEvidence, 'list'>,
  form: XpopForm,
): Xpop | null {
  const list = { public_key: publisherKey, manifest, blob, signature, version: 1 };
  try {
    return buildXpop({ ...evidence, list }, [publisherKey], form);
  } catch (error) {
    // Any other part of the evidence does not depend on the list: then the record is damaged.
    if (error instanceof BadEvidence && ['listTime', 'quorum'].includes(error.why)) return null;
    throw error;
  }
}
