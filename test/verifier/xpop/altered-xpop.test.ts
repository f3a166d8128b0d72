import { test } from 'tap';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import { maxXpopBytes, readXpop } from '../../../src/verifier/xpop/read-xpop.ts';
import { verifyXpop } from '../../../src/verifier/xpop/verify-xpop.ts';
import { alterAt, placesIn } from '../../support/alterations.ts';
import { runCount } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';
import { samplePublisher, sampleXpops } from '../../support/validated-network.ts';

/** Genuine samples in which every listed validator is needed. */
const genuine = sampleXpops().filter(
  ({ expected, file }) =>
    expected === 'accept' && file.startsWith('valid-') && !/5-listed/.test(file),
);

test('no altered XPOP is accepted, and none crashes the verifier', async (t) => {
  const random = seededRandom(t);
  const among = <One>(all: readonly One[]) => all[Math.floor(random() * all.length)] as One;
  for (let run = 0; run < runCount(100, 400); run += 1) {
    const { file, text } = among(genuine);
    const xpop = JSON.parse(text);
    // Keys of a tree take no part in hashing.
    const place = among(placesIn(xpop).filter((each) => each.at(-1) !== 'key'));
    const altered = alterAt(xpop, place, random);
    if (altered === null) continue;
    const start = process.cpuUsage();
    const verify = () => verifyXpop(readXpop(JSON.stringify(altered)), [samplePublisher]);
    t.throws(verify, BadEvidence, `${file}, ${place.join('.')}`);
    const { user, system } = process.cpuUsage(start);
    t.ok(user + system < 1_000_000, `${user + system} µs`);
  }
});

test('texts that are no XPOP are refused', async (t) => {
  const [{ text = '' } = {}] = genuine;
  const deep = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`;
  for (const hostile of [
    ...['', '{', '[]', 'null', '1', '{"ledger":1}', text.slice(0, -1), deep(100_000)],
    text.replace(/"proof":[\s\S]*/, `"proof":${deep(5_000)}}}`),
    text.replace(/"blob":"/, `"blob":"${'00'.repeat(maxXpopBytes)}`),
    text.replace(/"coins":"\d+"/, '"coins":"99999999999999999999"'),
    text.replace(/"coins":"\d+"/, '"coins":18446744073709551616'),
    text.replace(/"index":\d+/, '"index":4294967296'),
  ]) {
    t.throws(
      () => verifyXpop(readXpop(hostile), [samplePublisher]),
      BadEvidence,
      hostile.slice(0, 40),
    );
  }
});
