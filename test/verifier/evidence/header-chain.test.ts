import { test } from 'tap';
import { followChain, packChain } from '../../../src/verifier/evidence/header-chain.ts';
import { linkBytes, maxChain } from '../../../src/verifier/evidence/limits.ts';
import { sampleHeader, sampleHeaders } from '../../support/validated-network.ts';

const from = (first: number, last: number) =>
  sampleHeaders().filter(({ index }) => index > first && index <= last);

test('a chain leads from a ledger to a later one', async (t) => {
  const links = packChain(sampleHeader(287), from(287, 299));
  t.equal(links.length, 12 * linkBytes);
  const last = followChain(sampleHeader(287), links);
  t.equal(last.index, 299);
  t.equal(last.hash, sampleHeader(299).hash);
  t.equal(followChain(sampleHeader(287), new Uint8Array()).index, 287);
});

test('a chain from another ledger, or with another link, leads to another hash', async (t) => {
  const links = packChain(sampleHeader(287), from(287, 299));
  t.not(followChain(sampleHeader(288), links).hash, sampleHeader(299).hash);
  for (const at of [0, 30, links.length - 1]) {
    const other = links.slice();
    other[at] = (other[at] ?? 0) ^ 1;
    t.not(followChain(sampleHeader(287), other).hash, sampleHeader(299).hash);
  }
});

test('a chain with a gap is not written', async (t) => {
  t.throws(() => packChain(sampleHeader(287), from(288, 299)), /ledger 289 does not follow 287/);
});

test('a chain that is cut or too long is refused', async (t) => {
  const first = sampleHeader(287);
  t.throws(() => followChain(first, new Uint8Array(linkBytes - 1)), { name: 'BadEvidence' });
  t.throws(() => followChain(first, new Uint8Array((maxChain + 1) * linkBytes)), {
    name: 'BadEvidence',
  });
});
