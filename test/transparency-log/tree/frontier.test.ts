import { test } from 'tap';
import { Frontier, rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { nodeHash } from '../../../src/transparency-log/tree/merkle-hash.ts';
import { referenceRecords, referenceRoots } from '../../support/reference-tree.ts';
import { hashOfRecord, sampleLeaves } from '../../support/sample-tree.ts';

test('roots of growing trees equal the test vectors of Certificate Transparency', async (t) => {
  const frontier = new Frontier();
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  t.equal(frontier.root().toString('hex'), empty);
  const roots = referenceRecords.map((record) => {
    frontier.append(hashOfRecord(record));
    return frontier.root().toString('hex');
  });
  t.strictSame(roots, referenceRoots);
});

test('the root of any tree up to 300 leaves follows RFC 6962', async (t) => {
  // MTH of §2.1, literally.
  const mth = (leaves: readonly Buffer[]): Buffer => {
    if (leaves.length === 1) return leaves[0] as Buffer;
    let k = 1;
    while (k * 2 < leaves.length) k *= 2;
    return nodeHash(mth(leaves.slice(0, k)), mth(leaves.slice(k)));
  };
  const leaves = sampleLeaves(300);
  const frontier = new Frontier();
  const wrong = leaves.flatMap((leaf, index) => {
    frontier.append(leaf);
    return frontier.root().equals(mth(leaves.slice(0, index + 1))) ? [] : [index + 1];
  });
  t.strictSame(wrong, []);
  t.equal(frontier.size, 300);
  t.ok(rootOf(leaves).equals(frontier.root()));
});
