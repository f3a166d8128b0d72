import { encode } from 'ripple-binary-codec';
import { test } from 'tap';
import { decodeCanonical } from '../../src/certificates/decode-canonical.ts';

/** Objects within objects, in hexadecimal. */
const nested = (depth: number) => `${'EA'.repeat(depth)}${'E1'.repeat(depth)}`;

test('decodes data that is nested as deeply as servers of the ledger accept', async (t) => {
  let decoded: unknown = decodeCanonical(nested(10));
  for (let depth = 0; depth < 10; depth += 1) decoded = (decoded as { Memo?: unknown })?.Memo;
  t.strictSame(decoded, {});
  const AccountRoot = { Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', Flags: 0 };
  t.strictSame(decodeCanonical(encode(AccountRoot)), AccountRoot);
});

test('refuses deeply nested data at once', async (t) => {
  t.equal(decodeCanonical(nested(11)), null);
  const before = process.cpuUsage();
  t.equal(decodeCanonical(nested(8_000)), null);
  const { user } = process.cpuUsage(before);
  t.ok(user < 500_000, `${user / 1_000} ms of processor time`);
});

test('refuses large data at once, and decodes the largest quickly', async (t) => {
  const elements = (count: number) => `F9${'EAE1'.repeat(count)}F1`;
  const before = process.cpuUsage();
  t.equal(decodeCanonical(elements(8_192)), null);
  t.equal(decodeCanonical('120003'.repeat(100_000)), null);
  t.equal(decodeCanonical('120003'.repeat(5_461)), null, 'no field twice');
  t.match(decodeCanonical(elements(8_191)), { Memos: { length: 8_191 } });
  const { user } = process.cpuUsage(before);
  t.ok(user < 2_000_000, `${user / 1_000} ms of processor time`);
});
