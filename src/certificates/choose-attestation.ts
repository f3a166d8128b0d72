import { hexToBytes } from '@noble/hashes/utils.js';
import type { RecordedAttestation } from '../domain/attestation/recorded-attestation.ts';
import type { AttestationChoice } from '../domain/proof/certificate-inputs.ts';
import type { BundleAttestation } from '../verifier/bundle/bundle.ts';
import { maxBundleBytes } from '../verifier/bundle/read-bundle.ts';
import { type CollectedEvidence, writeAttestation } from '../verifier/bundle/write-attestation.ts';
import { BadEvidence } from '../verifier/evidence/bad-evidence.ts';
import { decodeBase64, encodeBase64 } from '../verifier/evidence/base64.ts';
import { unpackChain } from '../verifier/evidence/header-chain.ts';
import { readHeader } from '../verifier/evidence/ledger-header.ts';
import {
  linkBytes,
  maxChain,
  maxManifestBytes,
  maxValidationBytes,
} from '../verifier/evidence/limits.ts';
import { readManifest } from '../verifier/evidence/manifest.ts';
import { pathFromLeaves } from '../verifier/evidence/path-from-leaves.ts';
import { readValidation } from '../verifier/evidence/validation.ts';

/** A transaction of ours with the recorded signatures for its ledger. Binary forms in hex. */
export interface AttestedTransaction {
  readonly transactionHash: string;
  readonly blob: string;
  readonly metadata: string;
  readonly ledgerHeader: string;
  readonly recorded: RecordedAttestation;
}

/**
 * Chooses as much of the recorded signatures as a verifier needs, of the first list by which they
 * prove the transaction. Verifies them all, which takes some 200 ms for 35 validators. Null if no
 * list proves it, or if a bundle with them would be too large for its readers.
 */
export function chooseAttestation(transaction: AttestedTransaction): AttestationChoice | null {
  const { attested, lists } = transaction.recorded;
  for (const list of lists) {
    const written = writeBy(list, transaction);
    if (written === null || JSON.stringify(written).length > maxCharacters) continue;
    const { publisherKey, sequence } = list;
    const indexesOf = (all: readonly string[], chosen: readonly string[]) =>
      chosen.map((each) => all.indexOf(each));
    return {
      ...{ publisherKey, sequence },
      validations: indexesOf(attested.validations, written.validations),
      manifests: indexesOf(attested.manifests, written.manifests),
    };
  }
  return null;
}

/** The other parts of a bundle have some 10 kB. */
const maxCharacters = maxBundleBytes - 64 * 1_024;

/** Null if the list does not prove the transaction, or if a part on record is malformed. */
function writeBy(
  validatorList: RecordedAttestation['lists'][number],
  transaction: AttestedTransaction,
): BundleAttestation | null {
  try {
    const evidence = { ...readRecorded(transaction), validatorList };
    return writeAttestation(evidence, [validatorList.publisherKey]);
  } catch (error) {
    if (error instanceof BadEvidence) return null;
    throw error;
  }
}

/** Throws `BadEvidence` if a part is malformed. */
function readRecorded({
  transactionHash,
  blob,
  metadata,
  ledgerHeader,
  recorded,
}: AttestedTransaction): Omit<CollectedEvidence, 'validatorList'> {
  const { leaves, chain, attested } = recorded;
  const header = readHeader(hexToBytes(ledgerHeader));
  const links = decodeBase64(chain, maxChain * linkBytes, 'the header chain');
  return {
    item: { blob: hexToBytes(blob), metadata: hexToBytes(metadata) },
    path: pathFromLeaves(Buffer.from(leaves, 'base64'), transactionHash),
    header,
    laterHeaders: unpackChain(header, links),
    validations: attested.validations.map((each) =>
      readValidation(decodeBase64(each, maxValidationBytes, 'a validation')),
    ),
    manifests: attested.manifests.map((each) =>
      readManifest(decodeBase64(each, maxManifestBytes, 'a manifest')),
    ),
  };
}

/** The chosen part of the recorded signatures, as a bundle has it. Throws if it is not on record. */
export function attestationFor(
  transactionHash: string,
  recorded: RecordedAttestation | null,
  choice: AttestationChoice,
): BundleAttestation {
  if (recorded === null) throw new Error('the chosen signatures are not on record');
  const { leaves, chain, attested, lists } = recorded;
  const list = lists.find(
    ({ publisherKey, sequence }) =>
      publisherKey === choice.publisherKey && sequence === choice.sequence,
  );
  if (list === undefined) throw new Error(`validator list ${choice.sequence} is not on record`);
  const { manifest, blob, signature } = list;
  return {
    path: encodeBase64(pathFromLeaves(Buffer.from(leaves, 'base64'), transactionHash)),
    chain,
    validations: choice.validations.map((index) => demand(attested.validations[index])),
    manifests: choice.manifests.map((index) => demand(attested.manifests[index])),
    validatorList: { manifest, blob, signature: signature.toUpperCase() },
  };
}

function demand(recorded: string | undefined): string {
  if (recorded === undefined) throw new Error('a chosen signature is not on record');
  return recorded;
}
