import { test } from 'tap';
import { commit } from '../../../src/domain/proof/commit.ts';
import { type Digest, isDigest } from '../../../src/domain/proof/digest.ts';
import { defaultHashScheme, hashSchemes, isSalted } from '../../../src/domain/proof/hash-scheme.ts';

test('the commitment is the RFC 2104 HMAC with the nonce bytes as key', async (t) => {
  // Computed independently: printf of the 32 bytes | openssl dgst -sha256 -mac HMAC -macopt
  // hexkey:…
  const nonce = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
  const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' as Digest;
  t.equal(
    commit(nonce, digest),
    'd43ab268ace84897c7c38db898ceba8460c30c061f52a2ea4c514367ed85f6fa',
  );
});

test('the schemes are those of the contract, with v3 as default and one plain', async (t) => {
  t.strictSame(hashSchemes, ['sha256-plain-v1', 'hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3']);
  t.equal(defaultHashScheme, 'hmac-sha256-nonce-v3');
  t.strictSame(hashSchemes.filter(isSalted), hashSchemes.slice(1));
});

test('a digest is 64 lower-case hexadecimal characters', async (t) => {
  t.ok(isDigest('0f'.repeat(32)));
  for (const text of [
    '',
    '0F'.repeat(32),
    '0f'.repeat(31),
    `${'0f'.repeat(32)}\n`,
    'g'.repeat(64),
  ]) {
    t.notOk(isDigest(text), JSON.stringify(text));
  }
  for (const value of [null, undefined, 12, ['0f'.repeat(32)]]) t.notOk(isDigest(value));
});
