import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { treeLeaf } from '../../../../ops/audit/anchors/tree-leaf.ts';
import { leafHash } from '../../../../src/verifier/evidence/transaction-path.ts';

test('a leaf is that of the verifier, for every form of length', async (t) => {
  for (const length of [1, 192, 193, 700, 12_480, 12_481, 20_000]) {
    const [blob, metadata] = [randomBytes(length), randomBytes(150)];
    const expected = Buffer.from(leafHash({ blob, metadata })).toString('hex');
    t.equal(treeLeaf(blob.toString('hex').toUpperCase(), metadata.toString('hex')), expected);
  }
});
