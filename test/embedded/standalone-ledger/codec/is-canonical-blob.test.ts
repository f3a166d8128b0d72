import { decode, encode } from 'ripple-binary-codec';
import { test } from 'tap';
import { isCanonicalBlob } from '../../../../src/embedded/standalone-ledger/codec/is-canonical-blob.ts';
import { seededRandom } from '../../../support/seed.ts';
import { blobsByLedger } from '../recorded-session.ts';
import { sampleLines } from '../samples.ts';

const recorded = [
  ...blobsByLedger(sampleLines('stream.transactions_proposed.all.ndjson')).values(),
];

test('recorded blobs are canonical', async (t) => {
  for (const blob of recorded.flat()) t.ok(isCanonicalBlob(Buffer.from(blob, 'hex')));
});

/** TransactionType of UNLModify. The codec writes its Account empty, whatever it has read. */
const unlModify = 102;

test('a changed blob is called canonical only if the codec writes the same', async (t) => {
  const random = seededRandom(t);
  let canonical = 0;
  for (const blob of recorded.flat()) {
    for (let round = 0; round < 60; round += 1) {
      const bytes = Buffer.from(blob, 'hex');
      const at = Math.floor(random() * bytes.length);
      bytes[at] = Math.floor(random() * 256);
      if (bytes.readUInt16BE(1) === unlModify) continue;
      const changed = bytes.toString('hex').toUpperCase();
      const written = writtenAnew(changed);
      if (written === undefined || !isCanonicalBlob(bytes)) continue;
      canonical += 1;
      t.equal(written, changed);
    }
  }
  t.ok(canonical > 500);
});

test('leaves amounts other than drops to the codec', async (t) => {
  const [fee, issued, token] = ['68400000000000000C', '68C00000000000000C', '68600000000000000C'];
  t.ok(isCanonicalBlob(Buffer.from(`120003${fee}`, 'hex')));
  t.notOk(isCanonicalBlob(Buffer.from(`120003${issued}`, 'hex')));
  t.notOk(isCanonicalBlob(Buffer.from(`120003${token}`, 'hex')));
});

test('swapped and duplicated fields are not canonical', async (t) => {
  const [fee, sequence] = ['68400000000000000C', '2400000007'];
  const blob = (...fields: readonly string[]) => Buffer.from(`120003${fields.join('')}`, 'hex');
  t.ok(isCanonicalBlob(blob(sequence, fee)));
  t.notOk(isCanonicalBlob(blob(fee, sequence)));
  t.notOk(isCanonicalBlob(blob(sequence, fee, fee)));
  const memo = (...fields: readonly string[]) => `F9EA${fields.join('')}E1F1`;
  t.ok(isCanonicalBlob(blob(memo('7C0161', '7D0162'))));
  t.notOk(isCanonicalBlob(blob(memo('7D0162', '7C0161'))));
});

/**
 * A blob rewritten by the codec, or undefined if it cannot be read or has an amount out of range.
 */
function writtenAnew(blob: string): string | undefined {
  try {
    return encode(decode(blob));
  } catch {
    return undefined;
  }
}
