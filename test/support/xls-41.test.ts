import { test } from 'tap';
import { sampleXpops } from './validated-network.ts';
import { verifyByXls41 } from './xls-41.ts';

for (const { file, publisher_key: key, expected, change, text } of sampleXpops()) {
  test(`the other verifier ${expected}s ${file}: ${change}`, async (t) => {
    if (expected === 'accept') t.match(verifyByXls41(text, key), /^[0-9A-F]{64}$/);
    else t.throws(() => verifyByXls41(text, key), Error);
  });
}
