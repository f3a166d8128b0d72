import { createHash } from 'node:crypto';
import { test } from 'tap';
import { askAuthority } from '../../src/timestamps/ask-authority.ts';
import { encodeRequest } from '../../src/timestamps/encode-request.ts';
import { readResponse } from '../../src/timestamps/read-response.ts';
import { verifyToken } from '../../src/timestamps/verify-token.ts';
import {
  createTimestampAuthority,
  granting,
  serveTimestamps,
} from '../support/timestamp-authority.ts';
import { withAccuracy } from '../support/with-accuracy.ts';

const data = Buffer.from('the text of a checkpoint\n');

test('a token on record verifies with every accuracy that it states', async (t) => {
  const authority = await createTimestampAuthority(t);
  const roots = [authority.root];
  const { bytes } = encodeRequest(createHash('sha256').update(data).digest());
  const token = readResponse(await authority.answer(bytes));
  t.match(await verifyToken(token, { data, roots }), { accuracyMicros: 1_000_000 });
  const content = await authority.contentOf(token);
  const rows: readonly (readonly [hex: string, micros: number | null])[] = [
    ['', null],
    ['3000', 0],
    ['3004800201f4', 500_000],
    ['3003810107', 7],
    ['300a020101800201f4810107', 1_500_007],
    ['300402020258', 600_000_000],
    ['300702050100000000', 2 ** 32 * 1_000_000],
    ['30030201ff', Infinity],
    ['3006020101800180', Infinity],
    ['300902070100000000000000', Infinity],
  ];
  for (const [hex, accuracyMicros] of rows) {
    const signed = await authority.sign(withAccuracy(content, hex));
    t.match(await verifyToken(signed, { data, roots }), { accuracyMicros }, hex);
  }
});

test('a new token whose time may be wrong by more than is permitted is refused', async (t) => {
  const maxAccuracyMicros = 300_000_000;
  const authority = await createTimestampAuthority(t);
  const served = await serveTimestamps(t, (query) => authority.answer(query));
  const ask = (hex: string) => {
    served.respond = async (query) => {
      const content = await authority.contentOf(readResponse(await authority.answer(query)));
      return granting(await authority.sign(withAccuracy(content, hex)));
    };
    const { signal } = new AbortController();
    const options = { url: served.url, roots: [authority.root], maxAccuracyMicros };
    return askAuthority(options, data, signal);
  };
  t.match(await ask(''), { accuracyMicros: null });
  t.match(await ask('30040202012c'), { accuracyMicros: 300_000_000 });
  await t.rejects(ask('30070202012c810101'), {
    name: 'BadToken',
    message: /may be wrong by 301 s, more than the 300 s .* set TSA_URL and TSA_CERTIFICATES/,
  });
  await t.rejects(ask('300702050100000000'), { name: 'BadToken' });
  await t.rejects(ask('30030201ff'), { name: 'BadToken', message: /a time that is no number/ });
});
