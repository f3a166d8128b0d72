import fc from 'fast-check';
import { test } from 'tap';
import { NoBundle, type WhyNoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { maxBundleBytes, readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { sampleBundle, sampleText } from '../../support/sample-bundle.ts';

const text = sampleText();

test('reads a bundle with any white space and order of members', async (t) => {
  t.strictSame(readBundle(text), sampleBundle());
  const reversed = Object.fromEntries(Object.entries(sampleBundle()).reverse());
  t.strictSame(readBundle(JSON.stringify(reversed)), sampleBundle());
});

test('refuses an invalid bundle and names the place of the fault', async (t) => {
  const altered = (change: (bundle: Record<string, unknown>) => unknown) =>
    JSON.stringify(change(JSON.parse(text)));
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /not valid JSON/],
    ['%PDF-1.7', /not valid JSON/],
    ['null', /format/],
    ['[]', /format/],
    ['{"format":"proofmark/bundle","version":7}', /versions 1 to 6/],
    [altered((bundle) => ({ ...bundle, version: '2' })), /versions 1 to 6/],
    [sampleText({ version: 2 }).replace('"version": 2', '"version": 1'), /unknown member "log"\./],
    [altered((bundle) => ({ ...bundle, version: 2 })), /addresses\.explorerUrl/],
    [sampleText({ unlogged: true }).replace('"version": 1', '"version": 2'), /log/],
    [altered((bundle) => ({ ...bundle, extra: 1 })), /unknown member "extra"\./],
    [altered((bundle) => ({ ...bundle, '\u001b[2J\nok': 1 })), /member "\\u001b\[2J\\nok"\./],
    [altered((bundle) => ({ ...bundle, ['x'.repeat(100_000)]: 1 })), /member "x{40}"\./],
    [text.replace('Archive', '\\ud800'), /half of a Unicode character/],
    [text.replace('Archive', '\\udc00\\ud800'), /half of a Unicode character/],
    [text.replace('"file": {', '"file": {"__proto__": null,'), /file.*__proto__/],
    [altered(({ anchor: _, ...rest }) => rest), /anchor/],
    [text.replace('"network": "mainnet"', '"network": "devnet"'), /anchor\.network/],
    [text.replace(/"nonce": ".*"/, '"nonce": "xyz"'), /commitment\.nonce/],
    [text.replace('hmac-sha256-nonce-v3', 'sha256-plain-v1'), /commitment\.commitment/],
    [
      text.replace('"mainnet",', '"mainnet", "network": "mainnet",'),
      /two members have the same name/,
    ],
    [
      text.replace('"version": 3,', '"version": 3, "ver\\u0073ion": 3,'),
      /two members have the same name/,
    ],
    [text.replace('Archive', 'x'.repeat(1_001)), /workspaceName/],
    [text.padEnd(maxBundleBytes + 1), /larger/],
  ];
  for (const [malformed, message] of cases) {
    t.throws(() => readBundle(malformed), { name: 'NoBundle', message });
  }
});

function whyNot(malformed: string): WhyNoBundle | null {
  try {
    readBundle(malformed);
    return null;
  } catch (error) {
    if (error instanceof NoBundle) return error.why;
    throw error;
  }
}

test('distinguishes no bundle, a newer bundle and a malformed bundle', async (t) => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const rows: [string, WhyNoBundle][] = [
    ['x', 'noBundle'],
    ['null', 'noBundle'],
    ['[]', 'noBundle'],
    [text.slice(0, 300), 'malformedBundle'],
    [`{"format":"proofmark/bundle","version":1,"file":${nested}}`, 'malformedBundle'],
    [text.replace('"version": 3', '"version": 7'), 'newerBundle'],
  ];
  for (const [malformed, why] of rows) t.equal(whyNot(malformed), why);
});

test('accepts only the known members of a bundle, each in the right form', async (t) => {
  const value = JSON.parse(text);
  const inherited = text.replace('"file": {', '"__proto__": {').replace('"anchor": {', '"x": {');
  t.equal(whyNot(inherited), 'malformedBundle', 'a name like any other');
  t.equal(({} as { fileHash?: string }).fileHash, undefined);
  for (const section of ['certificate', 'file', 'commitment', 'revision', 'anchor', 'evidence']) {
    for (const name of Object.keys(value[section])) {
      for (const wrong of [{}, [], 'x'.repeat(3_000), -1, undefined]) {
        const changed = { ...value, [section]: { ...value[section], [name]: wrong } };
        const what = `${section}.${name}: ${JSON.stringify(wrong)?.slice(0, 9)}`;
        t.equal(whyNot(JSON.stringify(changed)), 'malformedBundle', what);
      }
    }
  }
});

test('quotes, colons and backslashes in names are not mistaken for members', async (t) => {
  for (const fileName of ['":', '\\": "', '"a": 1', '\\', '\\\\":']) {
    t.equal(readBundle(sampleText({ change: { fileName } })).file.fileName, fileName);
  }
});

test('any text is read or refused', async () => {
  const texts = fc.oneof(fc.string(), fc.json(), garbled(text));
  fc.assert(
    fc.property(texts, (given) => {
      try {
        readBundle(given);
      } catch (error) {
        if (!(error instanceof NoBundle)) throw error;
      }
    }),
    { numRuns: 500 },
  );
});

/** The text with a part replaced by random characters. */
function garbled(of: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(of.length), fc.nat(20), fc.string({ unit: anyCharacter }))
    .map(([at, length, piece]) => of.slice(0, at) + piece + of.slice(at + length));
}
