import { readBundle } from '../verifier/bundle/read-bundle.ts';
import { isSigned, issuerNote, type SignedBundle } from '../verifier/check/issuer-note.ts';
import { decodeBase64, encodeBase64 } from '../verifier/evidence/base64.ts';
import { maxTokenBytes } from '../verifier/evidence/limits.ts';
import { readCheckpointNote } from '../verifier/log/checkpoint.ts';
import { readToken } from '../verifier/timestamp/read-token.ts';
import type { EvidenceSummary } from './certificate-content.ts';

export const noEvidence: EvidenceSummary = {
  log: null,
  validators: null,
  stampedAt: null,
  issuerKey: null,
};

/** Summary, for the pages, of the evidence in a bundle of ours. Throws for a bundle that we did not make. */
export function summariseEvidence(bundle: Uint8Array): EvidenceSummary {
  const read = readBundle(Buffer.from(bundle).toString('utf8'));
  const log = 'log' in read ? read.log : null;
  const attestation = 'attestation' in read ? read.attestation : null;
  const timestamp = 'timestamp' in read ? read.timestamp : null;
  return {
    log: log && { leafIndex: log.leafIndex, ...checkpointIn(log.checkpoint) },
    validators: attestation?.validations.length ?? null,
    stampedAt: timestamp && stampedAt(timestamp.token),
    issuerKey: isSigned(read) ? signerOf(read) : null,
  };
}

function checkpointIn(note: string) {
  const checkpoint = readCheckpointNote(note)?.checkpoint;
  if (checkpoint === undefined) throw new Error('the checkpoint in the bundle is malformed');
  const { origin, size, root } = checkpoint;
  return { origin, size, root: encodeBase64(root) };
}

function signerOf(bundle: SignedBundle): string {
  const stated = issuerNote(bundle);
  if (stated.status === 'stated') return stated.by;
  throw new Error(`the issuer's signature of the bundle is ${stated.status}`);
}

function stampedAt(token: string): string {
  return readToken(decodeBase64(token, maxTokenBytes, 'the token')).time;
}
