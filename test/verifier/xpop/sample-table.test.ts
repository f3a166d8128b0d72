import { test } from 'tap';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import { readXpop } from '../../../src/verifier/xpop/read-xpop.ts';
import { verifyXpop } from '../../../src/verifier/xpop/verify-xpop.ts';
import { sampleXpops } from '../../support/validated-network.ts';

for (const { file, publisher_key: key, expected, change, text } of sampleXpops()) {
  test(`${expected}s ${file}: ${change}`, async (t) => {
    const verify = () => verifyXpop(readXpop(text), [key]);
    if (expected === 'accept') t.ok(verify().counted.length > 0);
    else t.throws(verify, BadEvidence);
  });
}

test('the table of samples has cases of both verdicts', async (t) => {
  const verdicts = sampleXpops().map(({ expected }) => expected);
  t.equal(verdicts.length, 66);
  t.equal(verdicts.filter((one) => one === 'accept').length, 27);
});
