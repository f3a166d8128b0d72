import fc from 'fast-check';
import { test } from 'tap';
import { foldText } from '../../../projections/documents/fold-text.ts';
import { trigramsOf, writtenTrigramsOf } from '../../../projections/documents/trigrams.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { seededRandom } from '../../support/seed.ts';

const one = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const other = '01BX5ZZKBKACTAV9WEVGEMMVS0' as OrganisationId;
const text = fc.string({ unit: anyCharacter, maxLength: 40 });

test('texts that differ only in case fold to the same text', async (t) => {
  const same = [
    ['STRASSE', 'Straße', 'strasse', 'STRAẞE'],
    ['ΣΊΣΥΦΟΣ', 'Σίσυφος', 'σίσυφοσ'],
    ['ÉTÉ', 'été', 'e\u0301te\u0301'],
    ['ПРИВЕТ', 'привет'],
    ['ǅ', 'ǆ', 'Ǆ'],
    ['日本', '日本'],
  ];
  for (const [first, ...others] of same)
    for (const text of others) t.equal(foldText(text), foldText(first ?? ''));
  t.not(foldText('a'), foldText('á'), 'accents count');
});

test('folding is idempotent, and independent of upper and lower case', async (t) => {
  const seed = Math.floor(seededRandom(t)() * 2 ** 31);
  const property = fc.property(text, (value) => {
    const folded = foldText(value);
    return foldText(folded) === folded && foldText(value.toUpperCase()) === folded.normalize('NFC');
  });
  fc.assert(property, { seed, numRuns: 2_000 });
});

test('every part of a text has only trigrams of the text', async (t) => {
  const seed = Math.floor(seededRandom(t)() * 2 ** 31);
  const property = fc.property(text, text, text, (before, part, after) => {
    const all = new Set(trigramsOf(one, ['other', before + part + after]));
    const written = writtenTrigramsOf(part, 1_000);
    const length = new Set([...part].slice(2)).size;
    const numbers = trigramsOf(one, written);
    if (numbers.length !== trigramsOf(one, [part]).length) return false;
    return written.length >= Math.min(1, length) && numbers.every((number) => all.has(number));
  });
  fc.assert(property, { seed, numRuns: 2_000 });
});

test('a trigram is three characters of any script, and differs between organisations', async (t) => {
  t.equal(trigramsOf(one, ['😀😁']).length, 0);
  t.equal(trigramsOf(one, ['😀😁😂']).length, 1);
  t.strictSame(writtenTrigramsOf('😀😁', 9), []);
  t.strictSame(writtenTrigramsOf('😀😁😂a😀😁😂', 9), ['😀😁😂', '😁😂a', '😂a😀', 'a😀😁']);
  t.strictSame(writtenTrigramsOf('abcdef', 2), ['abc', 'bcd']);
  t.equal(trigramsOf(one, ['abc', 'abcd', 'ab', '']).length, 2, 'each once');
  t.strictSame(trigramsOf(one, ['a-1 日本語']), trigramsOf(one, ['a-1 日本語']));
  const theirs = new Set(trigramsOf(other, ['Umbrella 2024-0419']));
  t.notOk(trigramsOf(one, ['Umbrella 2024-0419']).some((trigram) => theirs.has(trigram)));
});
