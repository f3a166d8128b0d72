import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { lengthPrefix, maxPrefixedBytes } from '../../../src/domain/ledger/length-prefix.ts';
import { transactionTreeHash } from '../../../src/ledger/transaction-tree.ts';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import {
  followPath,
  innerHash,
  leafHash,
  transactionHash,
} from '../../../src/verifier/evidence/transaction-path.ts';
import { drawCases } from '../../support/draw-cases.ts';
import { transactionPath } from '../../support/transaction-path.ts';
import { sampleLedger, sampleLedgers } from '../../support/validated-network.ts';

const idOf = ({ blob }: { readonly blob: Uint8Array }) => bytesToHex(transactionHash(blob));

test('paths of a real ledger lead to the root in its header', async (t) => {
  const ledgers = sampleLedgers().filter(({ items }) => items.length > 0);
  t.equal(ledgers.length, 14);
  for (const { file, header, items } of ledgers) {
    for (const item of drawCases(t, items, () => '', { oneOf: 40, oneOfInCi: 10 })) {
      const { path, root } = transactionPath(items, idOf(item));
      t.equal(root, header.transactionRoot, file);
      t.equal(followPath(item, path), root);
    }
    const asServiceReads = items.map((item) => ({
      hash: Buffer.from(transactionHash(item.blob)),
      blob: Buffer.from(item.blob),
      metadata: Buffer.from(item.metadata),
    }));
    t.equal(transactionTreeHash(asServiceReads).toLowerCase(), header.transactionRoot);
  }
});

test('a path among 241 transactions has about a kilobyte', async (t) => {
  const { items } = sampleLedger(54);
  const sizes = items
    .filter((_, place) => place % 12 === 0)
    .map((item) => transactionPath(items, idOf(item)).path.length);
  t.ok(Math.max(...sizes) < 1_100, String(Math.max(...sizes)));
});

test('a path does not lead to the root from another transaction or metadata', async (t) => {
  const { header, items } = sampleLedger(260);
  const [item, other] = items;
  if (!item || !other) throw new Error('the ledger has transactions');
  const { path } = transactionPath(items, idOf(item));
  const rootFrom = (blob: Uint8Array, metadata: Uint8Array) => {
    try {
      return followPath({ blob, metadata }, path);
    } catch (error) {
      if (error instanceof BadEvidence) return error.why;
      throw error;
    }
  };
  t.equal(rootFrom(item.blob, item.metadata), header.transactionRoot);
  t.not(rootFrom(other.blob, other.metadata), header.transactionRoot);
  t.not(rootFrom(item.blob, other.metadata), header.transactionRoot);
});

test('a malformed path is refused', async (t) => {
  const { items } = sampleLedger(260);
  const [item] = items;
  if (!item) throw new Error('the ledger has transactions');
  const { path } = transactionPath(items, idOf(item));
  const refused = (bytes: Uint8Array, message: RegExp) =>
    t.throws(() => followPath(item, bytes), { name: 'BadEvidence', message });
  refused(new Uint8Array(), /empty/);
  refused(path.subarray(0, -1), /ends within/);
  refused(Uint8Array.of(...path, 0), /ends within/);
  refused(new Uint8Array(130), /longer than 64 levels/);
  refused(new Uint8Array(100_000), /longer than 64 levels/);
  const everyPlace = Uint8Array.of(255, 255, ...new Uint8Array(16 * 32).fill(1));
  refused(everyPlace, /in the transaction's place/);
  const zeros = path.slice().fill(0, 2, 34);
  refused(zeros, /not there/);
});

test('an inner node or a leaf of another kind cannot stand for a transaction', async (t) => {
  const { header, items } = sampleLedger(260);
  // The bytes of an inner node, as if they were a transaction with metadata.
  for (const item of items.slice(0, 3)) {
    const { path } = transactionPath(items, idOf(item));
    const children = Array.from({ length: 16 }, () => leafHash(item));
    const node = Uint8Array.from(children.flatMap((child) => [...child]));
    for (const [blob, metadata] of [
      [node, new Uint8Array()],
      [node.subarray(0, 256), node.subarray(256)],
      [item.blob, new Uint8Array()],
      [new Uint8Array(), item.metadata],
    ] as const) {
      let root = '';
      try {
        root = followPath({ blob, metadata }, path);
      } catch (error) {
        t.ok(error instanceof BadEvidence);
      }
      t.not(root, header.transactionRoot);
    }
    t.not(bytesToHex(innerHash(children)), bytesToHex(leafHash({ blob: node, metadata: node })));
  }
});

test('a path of a transaction that the ledger lacks is not written', async (t) => {
  const { items } = sampleLedger(260);
  t.throws(() => transactionPath(items, '00'.repeat(32)), /does not contain/);
});

test('lengths have prefixes of one to three bytes, and larger evidence is refused', async (t) => {
  const inHex = (length: number) => bytesToHex(lengthPrefix(length));
  t.strictSame([0, 192, 193, 12_480, 12_481, maxPrefixedBytes].map(inHex), [
    ...['00', 'c0', 'c100', 'f0ff', 'f10000', 'fed417'],
  ]);
  t.throws(() => lengthPrefix(maxPrefixedBytes + 1), RangeError);
  const [least, large] = [new Uint8Array(1), new Uint8Array(maxPrefixedBytes + 1)];
  t.throws(() => leafHash({ blob: large, metadata: least }), BadEvidence);
  t.throws(() => leafHash({ blob: least, metadata: large }), BadEvidence);
});
