import { bytesToHex } from '@noble/hashes/utils.js';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import { encodeBase64 } from '../evidence/base64.ts';
import { countValidations } from '../evidence/count-validations.ts';
import { packChain } from '../evidence/header-chain.ts';
import type { LedgerHeader } from '../evidence/ledger-header.ts';
import type { Manifest } from '../evidence/manifest.ts';
import { followPath, type TransactionPath, type TreeItem } from '../evidence/transaction-path.ts';
import { trustedList } from '../evidence/trusted-list.ts';
import type { Validation } from '../evidence/validation.ts';
import type { SignedBlob } from '../evidence/validator-list.ts';
import { demandQuorum } from '../evidence/verify-attestation.ts';
import type { BundleAttestation } from './bundle.ts';

/** Evidence that validators gave, as it was collected. */
export interface CollectedEvidence {
  readonly item: TreeItem;
  readonly path: TransactionPath;
  /** Header of the transaction's ledger. */
  readonly header: LedgerHeader;
  /** Headers of all later ledgers, up to the one that the validations are of; often none. */
  readonly laterHeaders: readonly LedgerHeader[];
  readonly validations: readonly Validation[];
  /** Manifests of listed validators; those that the list contains may be among them. */
  readonly manifests: readonly Manifest[];
  readonly validatorList: SignedBlob;
}

/**
 * Selects what a bundle needs: as many validations as make a quorum, and the manifests that the list
 * lacks. The same evidence gives the same result in any order of validations. Throws `BadEvidence`
 * if the evidence proves nothing to a verifier that trusts these publishers (master keys, upper-case
 * hex).
 */
export function writeAttestation(
  evidence: CollectedEvidence,
  publisherKeys: readonly string[],
): BundleAttestation {
  const { item, path, header, laterHeaders, validatorList } = evidence;
  if (followPath(item, path) !== header.transactionRoot) {
    throw new BadEvidence('path', `the path does not lead to ledger ${header.index}`);
  }
  const chain = packChain(header, laterHeaders);
  const validated = laterHeaders.at(-1) ?? header;
  const list = trustedList(validatorList, validated.closeTime, publisherKeys);
  const listed = list.validators.flatMap(({ manifest }) => manifest?.bytes ?? []).map(bytesToHex);
  const manifests = evidence.manifests.filter(({ bytes }) => !listed.includes(bytesToHex(bytes)));
  const count = countValidations(validated, evidence.validations, list, {
    newerManifests: manifests,
  });
  demandQuorum(validated, count);
  const chosen = [...count.counted]
    .sort((a, b) => (a.masterKey < b.masterKey ? -1 : 1))
    .slice(0, count.needed);
  const signers = new Set(chosen.map(({ validation }) => bytesToHex(validation.signingKey)));
  const needed = manifests.filter(({ signing }) => signing && signers.has(bytesToHex(signing.key)));
  return {
    path: encodeBase64(path),
    chain: encodeBase64(chain),
    validations: chosen.map(({ validation }) => encodeBase64(validation.bytes)),
    manifests: needed.map(({ bytes }) => encodeBase64(bytes)).sort(),
    validatorList: {
      ...{ manifest: validatorList.manifest, blob: validatorList.blob },
      signature: validatorList.signature.toUpperCase(),
    },
  };
}
