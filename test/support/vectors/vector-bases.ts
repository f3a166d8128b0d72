import { createHash } from 'node:crypto';
import { signCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { type NoteSigner, noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { createCosigner } from '../../../src/transparency-log/cosigning/cosigner.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { sampleAttested, sampleFileHash, sampleLogSigner, sampleWallet } from '../sample-bundle.ts';
import type { VectorOptions } from './vector.ts';

/** A bundle as JSON, to be altered. */
// biome-ignore lint/suspicious/noExplicitAny: vectors break the form of a bundle on purpose.
export type Draft = any;

/** A name that looks the same, with a Cyrillic letter. */
export const homographOf = (name: string) => name.replace('o', '\u043e');

/** Everything that a careful reader of the sample names. */
export const careful = {
  fileHash: sampleFileHash,
  accounts: [sampleWallet.address],
  logKeys: [sampleLogSigner.vkey],
  validatorListKeys: [sampleAttested.network.publisherKey],
} satisfies VectorOptions;

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The bundle with a right checksum, as text. */
export function sealed({ checksum: _, ...rest }: Draft): string {
  return JSON.stringify({ ...rest, checksum: bundleChecksum(rest) });
}

/** A copy of the bundle with changes, and a right checksum. */
export function resealed(text: string, change: (draft: Draft) => void): string {
  const draft = JSON.parse(text);
  change(draft);
  return sealed(draft);
}

/** Writes the log's record of the anchoring anew, as the second of three entries. */
export function relog(draft: Draft, signers: readonly NoteSigner[] = [sampleLogSigner]): void {
  const { anchor, evidence, log } = draft;
  const { closeTime, closeTimeIso, ledgerHash, ledgerIndex, transactionHash } = anchor;
  const data = {
    ...{ closeTime, closeTimeIso, ledgerHash },
    ledgerHeader: evidence.ledgerHeader,
    ledgerId: log.ledgerId,
    ledgerIndex,
    metadata: evidence.metadata,
    transactionHash,
    transactionIndex: anchor.transactionIndex,
  };
  log.event.dataHash = sha256(JSON.stringify(data)).toString('hex');
  const tree = Buffer.from(log.hashes[0], 'hex');
  const root = node(node(tree, leafOf(log.event)), Buffer.from(log.hashes[1], 'hex'));
  log.checkpoint = noteFor({ size: 3, root }, signers);
}

export function leafOf(event: object): Buffer {
  const sorted = Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256('\0', JSON.stringify(Object.fromEntries(sorted)));
}

export function node(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.of(1), left, right);
}

export const origin = sampleLogSigner.name;

/** Signed checkpoint of the sample's log. */
export function noteFor(
  { size, root }: { readonly size: number; readonly root: Buffer },
  signers: readonly NoteSigner[] = [sampleLogSigner],
): string {
  return signCheckpoint({ origin, size, root }, signers);
}

export const otherLogKey = noteSigner(origin, Buffer.alloc(32, 6));
export const witnesses = ['north', 'south', 'east'].map((name, n) => ({
  name,
  cosigner: createCosigner(`${name}.example/w`, Buffer.alloc(32, 200 + n)),
}));

/** A policy in which so many of the witnesses are a quorum. */
export function policyOf(least: number | string, before = ''): string {
  const lines = witnesses.map(({ name, cosigner }) => `witness ${name} ${cosigner.vkey}\n`);
  return `${before}${lines.join('')}group all-of-them ${least} north south east\nquorum all-of-them\n`;
}
