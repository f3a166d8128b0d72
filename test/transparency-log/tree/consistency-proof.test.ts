import { test } from 'tap';
import {
  proveConsistency,
  rootWithin,
  verifyConsistency,
} from '../../../src/transparency-log/tree/consistency-proof.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { joinSubtrees, nodeHash } from '../../../src/transparency-log/tree/merkle-hash.ts';
import {
  referenceConsistency,
  referenceRecords,
  referenceRoots,
} from '../../support/reference-tree.ts';
import { hashOfRecord, nodesOf, sampleLeaves } from '../../support/sample-tree.ts';

const headOf = (leaves: readonly Buffer[], size: number) => ({
  size,
  root: rootOf(leaves.slice(0, size)),
});

test('consistency proofs equal the test vectors of Certificate Transparency', async (t) => {
  const leaves = referenceRecords.map(hashOfRecord);
  const head = (size: number) => ({
    size,
    root: Buffer.from(referenceRoots[size - 1] as string, 'hex'),
  });
  for (const [older, newer, hashes] of referenceConsistency) {
    const proof = await proveConsistency(older, newer, nodesOf(leaves));
    t.strictSame(
      proof.map((hash) => hash.toString('hex')),
      hashes,
    );
    t.ok(verifyConsistency({ older: head(older), newer: head(newer), proof }));
  }
});

test('any two sizes up to 48 are proven consistent, with the hashes of RFC 6962', async (t) => {
  // SUBPROOF of §2.1.2, literally.
  const mth = (leaves: readonly Buffer[]) => rootOf(leaves);
  const subproof = (m: number, leaves: readonly Buffer[], whole: boolean): Buffer[] => {
    if (m === leaves.length) return whole ? [] : [mth(leaves)];
    let k = 1;
    while (k * 2 < leaves.length) k *= 2;
    return m <= k
      ? [...subproof(m, leaves.slice(0, k), whole), mth(leaves.slice(k))]
      : [...subproof(m - k, leaves.slice(k), false), mth(leaves.slice(0, k))];
  };
  const leaves = sampleLeaves(48);
  const failed: unknown[] = [];
  for (let newer = 0; newer <= 48; newer += 1) {
    for (let older = 0; older <= newer; older += 1) {
      const proof = await proveConsistency(older, newer, nodesOf(leaves));
      const heads = { older: headOf(leaves, older), newer: headOf(leaves, newer) };
      const named = older === 0 ? [] : subproof(older, leaves.slice(0, newer), true);
      const isNamed = Buffer.concat(named).equals(Buffer.concat(proof));
      if (!isNamed || !verifyConsistency({ ...heads, proof })) failed.push([older, newer]);
    }
  }
  t.strictSame(failed, []);
});

test('refuses a proof that was changed, or that belongs to other trees', async (t) => {
  const leaves = sampleLeaves(14);
  const forked = sampleLeaves(14).with(2, Buffer.alloc(32, 9));
  for (const [from, to] of [
    [1, 2],
    [3, 7],
    [4, 8],
    [6, 13],
    [8, 14],
  ] as const) {
    const proof = await proveConsistency(from, to, nodesOf(leaves));
    const [older, newer] = [headOf(leaves, from), headOf(leaves, to)];
    t.ok(verifyConsistency({ older, newer, proof }));
    const other = Buffer.alloc(32, 1);
    const wrong = [
      { older: { size: from, root: other } },
      { older: { size: from + 1, root: older.root } },
      { older: { size: from - 1, root: older.root } },
      { older: { size: -1, root: older.root } },
      { newer: { size: to, root: other } },
      { newer: { size: to * 2, root: newer.root } },
      { newer: { size: Number.NaN, root: newer.root } },
      { newer: older },
      { older: newer },
      { older: newer, newer: older },
      { newer: headOf(forked, to), proof: await proveConsistency(from, to, nodesOf(forked)) },
      { proof: [...proof, other] },
      { proof: [other, ...proof] },
      { proof: [] },
      ...proof.flatMap((hash, at) => [
        { proof: proof.with(at, other) },
        { proof: proof.with(at, hash.subarray(1)) },
        { proof: proof.toSpliced(at, 1) },
      ]),
    ];
    const isFork = (change: object) => 'newer' in change && 'proof' in change && from < 3;
    const taken = wrong.filter(
      (change) => !isFork(change) && verifyConsistency({ older, newer, proof, ...change }),
    );
    t.strictSame(taken, []);
  }
});

test('equal sizes and an empty tree need no proof', async (t) => {
  const emptyRoot = joinSubtrees([]);
  const [one, two] = [Buffer.alloc(32, 1), nodeHash(emptyRoot, emptyRoot)];
  const consistent = (older: [number, Buffer], newer: [number, Buffer], proof: Buffer[] = []) =>
    verifyConsistency({
      older: { size: older[0], root: older[1] },
      newer: { size: newer[0], root: newer[1] },
      proof,
    });
  t.ok(consistent([0, emptyRoot], [0, emptyRoot]));
  t.ok(consistent([0, emptyRoot], [5, one]));
  t.ok(consistent([5, one], [5, one]));
  t.notOk(consistent([5, one], [5, two]));
  t.notOk(consistent([5, one], [5, one], [two]));
  t.notOk(consistent([0, emptyRoot], [5, one], [two]));
  t.notOk(consistent([1, one], [2, two]));
});

test('reads the root of any part of a tree, and nothing from another tree', async (t) => {
  const leaves = sampleLeaves(33);
  const failed: unknown[] = [];
  for (let newer = 1; newer <= leaves.length; newer += 1) {
    for (let older = 1; older <= newer; older += 1) {
      const read = nodesOf(leaves.slice(0, newer));
      const root = await rootWithin(older, headOf(leaves, newer), read);
      if (!root?.equals(headOf(leaves, older).root)) failed.push([older, newer]);
      const of = { size: newer, root: Buffer.alloc(32) };
      if ((await rootWithin(older, of, read)) !== null) failed.push([older, newer, 'other']);
    }
  }
  t.strictSame(failed, []);
  for (const older of [0, 34, Number.NaN]) {
    await t.rejects(rootWithin(older, headOf(leaves, 33), nodesOf(leaves)), RangeError);
  }
});
