import { hexToBytes } from '@noble/hashes/utils.js';
import type { Bundle, BundleAttestation } from '../bundle/bundle.ts';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import { decodeBase64 } from '../evidence/base64.ts';
import { followChain } from '../evidence/header-chain.ts';
import { type LedgerHeader, readHeader } from '../evidence/ledger-header.ts';
import {
  linkBytes,
  maxChain,
  maxManifestBytes,
  maxPathBytes,
  maxValidationBytes,
} from '../evidence/limits.ts';
import { type Manifest, readManifest } from '../evidence/manifest.ts';
import { followPath } from '../evidence/transaction-path.ts';
import { readValidation, type Validation } from '../evidence/validation.ts';
import { type Attestation, verifyAttestation } from '../evidence/verify-attestation.ts';

/** Bundles with the word of validators: all of version 4, and most of version 5. */
export type AttestedBundle = Bundle & { readonly attestation: BundleAttestation };

export function isAttested(bundle: Bundle): bundle is AttestedBundle {
  return 'attestation' in bundle && bundle.attestation !== null;
}

/** Verifies all steps from the transaction to a trusted publisher. Throws `BadEvidence`. */
export function attestationOf(
  bundle: AttestedBundle,
  publisherKeys: readonly string[],
): Attestation {
  const header = headerOf(bundle);
  demandPath(bundle, header);
  const { validatorList } = bundle.attestation;
  const evidence = { validatorList, ...signedBy(bundle) };
  return verifyAttestation(validatedBy(bundle, header), evidence, publisherKeys);
}

/** Header of the transaction's ledger. */
export function headerOf({ evidence }: AttestedBundle): LedgerHeader {
  return readHeader(hexToBytes(evidence.ledgerHeader));
}

/** Throws `BadEvidence` unless the ledger contains the transaction with its metadata. */
export function demandPath({ evidence, attestation }: AttestedBundle, header: LedgerHeader): void {
  const item = { blob: hexToBytes(evidence.blob), metadata: hexToBytes(evidence.metadata) };
  const path = decodeBase64(attestation.path, maxPathBytes, 'the path');
  if (followPath(item, path) !== header.transactionRoot) {
    throw new BadEvidence('path', "the path does not lead to the root in the ledger's header");
  }
}

/** Header of the ledger that the validations are of. Throws `BadEvidence`. */
export function validatedBy({ attestation }: AttestedBundle, header: LedgerHeader): LedgerHeader {
  return followChain(
    header,
    decodeBase64(attestation.chain, maxChain * linkBytes, 'the header chain'),
  );
}

/** Validations, and the manifests that the list lacks. Throws `BadEvidence` if one is malformed or doubled. */
export function signedBy({ attestation }: AttestedBundle): {
  readonly validations: readonly Validation[];
  readonly manifests: readonly Manifest[];
} {
  for (const all of [attestation.validations, attestation.manifests]) {
    if (new Set(all).size < all.length) {
      throw new BadEvidence('malformed', 'a validation or manifest is in the bundle twice');
    }
  }
  return {
    validations: attestation.validations.map((each) =>
      readValidation(decodeBase64(each, maxValidationBytes, 'a validation')),
    ),
    manifests: attestation.manifests.map((each) =>
      readManifest(decodeBase64(each, maxManifestBytes, 'a manifest')),
    ),
  };
}
