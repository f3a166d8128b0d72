import { createHash } from 'node:crypto';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../src/transparency-log/checkpoint/signed-note.ts';
import { issuedText } from '../../src/verifier/bundle/issued-text.ts';
import { attaching, packedStreamOf } from './attached-pdf.ts';
import { sampleAttested, sampleLogSigner, sampleText } from './sample-bundle.ts';
import {
  type Draft,
  leafOf,
  node,
  noteFor,
  otherLogKey,
  sealed,
  sha256,
} from './vectors/vector-bases.ts';

/** Key of the issuer of these certificates. */
export const issuedBy = noteSigner(`${sampleLogSigner.name}/issuer`, Buffer.alloc(32, 90));

/** The sample as a bundle of version 6 with its issuer's signature, changed before it is signed. */
export function signedBundle(change: (draft: Draft) => void = () => {}): string {
  const { checksum: _, ...sample } = JSON.parse(sampleText({ attested: sampleAttested }));
  const draft = { ...sample, version: 6, timestamp: null };
  change(draft);
  return sealed({ ...draft, issuer: { note: signNote(issuedText(draft), [issuedBy]) } });
}

/** A PDF with a bundle; other titles make other bytes. */
export function pdfOf(bundle: string, title?: string): Buffer {
  const pages = title === undefined ? [] : [`<< /Title (${title}) >>`];
  return attaching(packedStreamOf(Buffer.from(bundle)), pages);
}

/** The service's answer for a PDF that is the second event of the sample's log. */
export function recordOf(bytes: Buffer, change: Readonly<Record<string, unknown>> = {}) {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const event = {
    ...{ v: 1, eventId: '01M7XT7V5TQ6V2H8J9KAMBNCPD', organisationId: null, version: 1, schema: 1 },
    ...{ stream: `certificate-${hash}`, type: 'CertificateRecorded' },
    recordedAt: '2026-11-21T04:05:07.000Z',
    dataHash: sha256(`{"sha256":"${hash}"}`).toString('hex'),
    metaHash: sha256('{}').toString('hex'),
  };
  const before = sha256('before');
  const root = node(before, leafOf(event));
  const hashes = [before.toString('hex')];
  const checkpoint = noteFor({ size: 2, root });
  const data = { event, leafIndex: 1, hashes, checkpoint, logKeys: [otherLogKey.vkey], ...change };
  return { success: true, data };
}
