import { createHash } from 'node:crypto';
import { checkBundle } from '../../../src/certificates/check-bundle.ts';
import type { CertificateIssued } from '../../../src/domain/proof/events.ts';
import { proofOfStream } from '../../../src/domain/streams.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';

/** Facts of the log about the proof of a certificate. */
export interface ProvenFacts {
  /** SHA-256 of the proven file; null if it cannot be read. */
  readonly fileHash: string | null;
  /** Hash of the transaction that anchored the proof; null if no earlier event names one. */
  readonly transactionHash: string | null;
}

/**
 * Returns the reasons why the bundle in a certificate is not the one that the events call for. Only
 * the first reason of each kind is given, since the others follow from it.
 * @param text the bundle, as extracted from the PDF
 */
export function reasonsAgainstBundle(
  { data, stream }: StoredEvent<CertificateIssued>,
  text: string,
  { fileHash, transactionHash }: ProvenFacts,
): readonly string[] {
  const digest = createHash('sha256').update(text).digest('hex');
  if (digest !== data.bundleDigest) {
    return ['the bundle in the certificate is not the one that was issued'];
  }
  const bundle = readBundle(text);
  const isOfProof = bundle.certificate.proofId === proofOfStream(stream);
  if (!isOfProof || (fileHash !== null && bundle.file.fileHash !== fileHash)) {
    return ['the certificate is of another proof or file than that of its stream'];
  }
  if (transactionHash === null) {
    return ['no earlier event anchors the proof that the certificate states as anchored'];
  }
  if (bundle.anchor.transactionHash !== transactionHash) {
    return ['the certificate names another transaction than the event that anchors the proof'];
  }
  return reasonsAgainstEvidence(bundle);
}

/** Everything that can be checked without keys, ledger and network. */
function reasonsAgainstEvidence(bundle: Bundle): readonly string[] {
  const ledger = { asked: false, why: 'the audit compares the anchor' } as const;
  const checks = checkBundle(bundle, { fileHash: null, accounts: null, ledger, logKeys: null });
  const failed = checks.find(({ outcome }) => outcome === 'failed');
  return failed === undefined
    ? []
    : [`the bundle in the certificate proves nothing: ${failed.name}: ${failed.detail}`];
}
