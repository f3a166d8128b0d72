import { test } from 'tap';
import { signCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { proveInclusion } from '../../../src/transparency-log/tree/inclusion-proof.ts';
import { verifyInclusion } from '../../../src/verifier/log/verify-inclusion.ts';
import {
  referenceInclusion,
  referenceRecords,
  referenceRoots,
} from '../../support/reference-tree.ts';
import { hashOfRecord, nodesOf, sampleLeaves, sampleRecord } from '../../support/sample-tree.ts';
import { sigstoreAccepts } from '../../support/sigstore-verifier.ts';

test('inclusion proofs equal the test vectors of Certificate Transparency', async (t) => {
  const leaves = referenceRecords.map(hashOfRecord);
  for (const [index, size, hashes] of referenceInclusion) {
    const proof = await proveInclusion(index, size, nodesOf(leaves));
    t.strictSame(
      proof.map((hash) => hash.toString('hex')),
      hashes,
    );
    const root = Buffer.from(referenceRoots[size - 1] as string, 'hex');
    t.ok(verifyInclusion({ leaf: leaves[index] as Buffer, index, size, proof, root }));
  }
});

test('every leaf of every tree up to 64 leaves is proven', async (t) => {
  const leaves = sampleLeaves(64);
  const read = nodesOf(leaves);
  const failed: unknown[] = [];
  for (let size = 1; size <= 64; size += 1) {
    const root = rootOf(leaves.slice(0, size));
    for (const [index, leaf] of leaves.slice(0, size).entries()) {
      const proof = await proveInclusion(index, size, read);
      if (!verifyInclusion({ leaf, index, size, proof, root })) failed.push([index, size]);
    }
  }
  t.strictSame(failed, []);
});

test("Sigstore's verifier accepts our proofs and checkpoints, and refuses them at any other index", async (t) => {
  const leaves = sampleLeaves(300);
  const read = nodesOf(leaves);
  const signer = noteSigner('proofmark/log', Buffer.alloc(32, 7));
  const { name: origin, vkey } = signer;
  const failed: unknown[] = [];
  for (let size = 1; size <= 300; size += 1) {
    const root = rootOf(leaves.slice(0, size));
    const note = signCheckpoint({ origin, size, root }, [signer]);
    for (const index of new Set([0, Math.floor(size / 3), size - 1])) {
      const proof = await proveInclusion(index, size, read);
      const entry = { record: sampleRecord(index), index, proof, note, vkey };
      if (!sigstoreAccepts(entry)) failed.push([index, size]);
      if (sigstoreAccepts({ ...entry, index: index + 1 })) failed.push([index + 1, size]);
    }
  }
  t.strictSame(failed, []);
});

test('refuses a proof that was changed in any way', async (t) => {
  const leaves = sampleLeaves(13);
  const read = nodesOf(leaves);
  for (const [index, size] of [
    [0, 1],
    [4, 7],
    [6, 7],
    [12, 13],
    [3, 13],
  ] as const) {
    const proof = await proveInclusion(index, size, read);
    const root = rootOf(leaves.slice(0, size));
    const leaf = leaves[index] as Buffer;
    const good = { leaf, index, size, proof, root };
    t.ok(verifyInclusion(good));
    const other = Buffer.alloc(32, 1);
    const wrong = [
      { leaf: other },
      { leaf: leaf.subarray(1) },
      { root: other },
      { root: Buffer.alloc(0) },
      { index: index + 1 },
      { index: index - 1 },
      { index: -1 },
      { index: index + 0.5 },
      { index: Number.NaN },
      { size: index },
      { size: 0 },
      { proof: [...proof, root] },
      { proof: [root, ...proof] },
      { proof: [...proof, Buffer.alloc(0)] },
      ...proof.flatMap((hash, at) => [
        { proof: proof.with(at, other) },
        { proof: proof.with(at, hash.subarray(1)) },
        { proof: proof.toSpliced(at, 1) },
        { proof: proof.toSpliced(at, 0, hash) },
      ]),
    ];
    const taken = wrong.filter((change) => verifyInclusion({ ...good, ...change }));
    t.strictSame(taken, []);
  }
  t.throws(() => proveInclusion(5, 5, read), RangeError);
});
