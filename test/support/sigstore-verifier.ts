import { createPublicKey } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';

type Entry = Parameters<typeof verifyMerkleInclusion>[0];

/** An entry of our log, in the form that Sigstore's verifier expects of Rekor's log. */
export interface ProvenEntry {
  /** Content of the leaf. */
  readonly record: Buffer;
  readonly index: number;
  readonly proof: readonly Buffer[];
  /** The checkpoint as published. */
  readonly note: string;
  /** Public key of the log. The verifier finds it by the beginning of its id and by its name. */
  readonly vkey: string;
}

/** True if Sigstore's verifier computes this root from the entry and its hashes. */
export function sigstoreFindsRoot(
  { record, index, proof }: Pick<ProvenEntry, 'record' | 'index' | 'proof'>,
  tree: { readonly size: number; readonly root: Buffer },
): boolean {
  const inclusionProof = { logIndex: String(index), hashes: proof };
  const entry = { canonicalizedBody: record, inclusionProof } as unknown as Entry;
  try {
    verifyMerkleInclusion(entry, {
      logSize: BigInt(tree.size),
      logHash: tree.root,
    } as Parameters<typeof verifyMerkleInclusion>[1]);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'TLOG_INCLUSION_PROOF_ERROR') return false;
    throw error;
  }
}

/** True if Sigstore's verifier finds the entry in the checkpoint's tree and accepts its signature. */
export function sigstoreAccepts({ record, index, proof, note, vkey }: ProvenEntry): boolean {
  const entry = {
    canonicalizedBody: record,
    inclusionProof: { logIndex: String(index), hashes: proof, checkpoint: { envelope: note } },
  } as unknown as Entry;
  const [name = '', keyId = '', ...base64] = vkey.split('+');
  const x = Buffer.from(base64.join('+'), 'base64').subarray(1).toString('base64url');
  const log = {
    logID: Buffer.from(keyId, 'hex'),
    baseURL: name,
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    validFor: { start: new Date(0), end: new Date(8.64e15) },
  };
  try {
    verifyMerkleInclusion(entry, verifyCheckpoint(entry, [log]));
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'TLOG_INCLUSION_PROOF_ERROR') return false;
    throw error;
  }
}
