import fc from 'fast-check';
import { test } from 'tap';
import { hashSchemes } from '../../../src/domain/proof/hash-scheme.ts';
import {
  isTransactionHash,
  type LedgerMemo,
  proofMemo,
  readProofMemo,
} from '../../../src/domain/proof/memo.ts';
import { anyCharacter } from '../../support/any-character.ts';

const fileHash = 'ab'.repeat(32);
const previous = 'CD'.repeat(32);
const memo = proofMemo({ fileHash, hashScheme: 'hmac-sha256-nonce-v3' });

test('a proof memo has exactly the members of the documented format', async (t) => {
  t.strictSame(memo, {
    type: 'proofmark/proof',
    format: 'application/json',
    data: `{"fileHash":"${fileHash}","hashScheme":"hmac-sha256-nonce-v3"}`,
  });
  t.equal(
    proofMemo({ previous, hashScheme: 'sha256-plain-v1', fileHash }).data,
    `{"fileHash":"${fileHash}","hashScheme":"sha256-plain-v1","previous":"${previous}"}`,
  );
});

test('a written memo reads back as well-formed', async (t) => {
  for (const hashScheme of hashSchemes) {
    for (const written of [
      { fileHash, hashScheme },
      { fileHash, hashScheme, previous },
    ]) {
      t.strictSame(readProofMemo([proofMemo(written)]), { memo: written, wellFormed: true });
    }
  }
});

test('any other memo is read as far as it parses, and is not well-formed', async (t) => {
  const altered = (change: Partial<LedgerMemo>) => readProofMemo([{ ...memo, ...change }]);
  const data = (value: unknown) => altered({ data: JSON.stringify(value) });
  const hashScheme = 'sha256-plain-v1';
  for (const read of [
    altered({ type: 'proofmark/checkpoint' }),
    altered({ format: 'text/plain' }),
    readProofMemo([memo, memo]),
    data({ fileHash, hashScheme: 'md5' }),
    data({ fileHash: fileHash.toUpperCase(), hashScheme }),
    data({ hashScheme }),
    data({ fileHash, hashScheme, previous: previous.toLowerCase() }),
    data({ fileHash, hashScheme, previous: null }),
  ]) {
    t.ok(read.memo, 'its content is shown');
    t.notOk(read.wellFormed);
  }
  for (const read of [readProofMemo([]), altered({ data: '{' }), data([]), data(null), data('x')]) {
    t.strictSame(read, { memo: null, wellFormed: false });
  }
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => !altered({ data: text }).wellFormed),
  );
});

test('a transaction hash is 64 upper-case hexadecimal characters', async (t) => {
  t.ok(isTransactionHash(previous));
  for (const value of [previous.toLowerCase(), previous.slice(1), `${previous}\n`, null, 7]) {
    t.notOk(isTransactionHash(value));
  }
});
