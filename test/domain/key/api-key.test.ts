import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { test } from 'tap';
import {
  apiKeyRandomBytes,
  displayPrefix,
  formatApiKey,
  hashApiKey,
  isWellFormedApiKey,
} from '../../../src/domain/key/api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const random = fc.uint8Array({ minLength: apiKeyRandomBytes, maxLength: apiKeyRandomBytes });
/** Keys from random bytes, without cases of many biased bytes, which real randomness never produces. */
const keys = random
  .filter((bytes) => bytes.filter((byte) => byte < 248).length >= 26)
  .map(formatApiKey);

test('a key is its prefix and 32 alphanumeric characters, and well-formed', async (t) => {
  fc.assert(
    fc.property(keys, (key) => /^svc_live_[0-9A-Za-z]{32}$/.test(key) && isWellFormedApiKey(key)),
  );
  t.pass();
});

test('the last six characters of a key are the base62 CRC-32 of the others', async (t) => {
  fc.assert(
    fc.property(keys, (key) => {
      const digits = [...key.slice(35)].map((digit) => alphabet.indexOf(digit));
      const value = digits.reduce((sum, digit) => sum * 62 + digit, 0);
      return value === crc32(key.slice(9, 35));
    }),
  );
  t.pass();
});

test('a key with any single wrong character is malformed', async (t) => {
  const cases = fc.tuple(keys, fc.integer({ min: 0, max: 31 }), fc.integer({ min: 1, max: 61 }));
  fc.assert(
    fc.property(cases, ([key, at, shift]) => {
      const index = 9 + at;
      const other = alphabet.charAt((alphabet.indexOf(key.charAt(index)) + shift) % 62);
      return !isWellFormedApiKey(key.slice(0, index) + other + key.slice(index + 1));
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

test('a key with any two neighbouring characters exchanged is malformed', async (t) => {
  const cases = fc.tuple(keys, fc.integer({ min: 9, max: 39 }));
  fc.assert(
    fc.property(cases, ([key, at]) => {
      const [one, two] = [key.charAt(at), key.charAt(at + 1)];
      if (one === two) return true;
      return !isWellFormedApiKey(key.slice(0, at) + two + one + key.slice(at + 2));
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

test('other texts than keys are malformed', async (t) => {
  const key = formatApiKey(new Uint8Array(apiKeyRandomBytes).map((_, index) => index));
  t.ok(isWellFormedApiKey(key));
  for (const text of ['', key.slice(1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
    t.notOk(isWellFormedApiKey(text), JSON.stringify(text));
  }
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedApiKey(text)));
});

test('every character of a key is equally likely, since biased bytes are skipped', async (t) => {
  const bytes = new Uint8Array(apiKeyRandomBytes).fill(255);
  bytes.fill(61, 0, 26);
  t.equal(formatApiKey(bytes).slice(9, 35), 'z'.repeat(26));
  bytes.fill(248, 0, 1);
  t.throws(() => formatApiKey(bytes), /too few/);
  const all = Uint8Array.from({ length: 248 }, (_, index) => index);
  const seen = new Map<string, number>();
  for (let start = 0; start + 26 <= 248; start += 26) {
    for (const c of formatApiKey(all.slice(start)).slice(9, 35))
      seen.set(c, (seen.get(c) ?? 0) + 1);
  }
  t.ok([...seen.values()].every((count) => count <= 4));
});

test('a key is stored as its SHA-256 and displayed by its first characters', async (t) => {
  const key = 'svc_live_abcdEFGH0123456789abcdEFGH012345';
  t.equal(hashApiKey(key), createHash('sha256').update(key).digest('hex'));
  t.equal(displayPrefix(key), 'svc_live_abcd');
});
