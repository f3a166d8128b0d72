import { ECDSA, Wallet } from 'xrpl';
import { shareBundle } from '../../../src/certificates/build-bundle.ts';
import { hashSchemes } from '../../../src/domain/proof/hash-scheme.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { alterAt, placesIn } from '../alterations.ts';
import { type SampleOptions, sampleAttested, sampleText } from '../sample-bundle.ts';
import type { Random } from '../seed.ts';
import type { VectorInput } from './vector.ts';
import { careful, type Draft, relog, resealed, sealed } from './vector-bases.ts';

export const versions: Readonly<Record<string, SampleOptions>> = {
  'version 1': { unlogged: true },
  'version 2': { version: 2 },
  'version 3': {},
  'version 4': { attested: sampleAttested },
};
export const attested = sampleText({ attested: sampleAttested });
export const logged = sampleText();

const entropy = Buffer.alloc(16, 3);
const signers = {
  'a regular Ed25519 key': Wallet.fromEntropy(entropy, { algorithm: ECDSA.ed25519 }),
  'a regular secp256k1 key': Wallet.fromEntropy(entropy, { algorithm: ECDSA.secp256k1 }),
};

/** Genuine bundles, and what readers of them may know or not. */
export function genuineVectors(): VectorInput[] {
  const all = Object.entries(versions).flatMap(([version, options]) =>
    hashSchemes.map((hashScheme) => ({
      id: `genuine: ${version}, ${hashScheme}`,
      about: `A genuine bundle of ${version} with the scheme ${hashScheme}.`,
      bundle: sampleText({ ...options, hashScheme }),
      options: careful,
    })),
  );
  const regular = Object.entries(versions).flatMap(([version, options]) =>
    Object.entries(signers).map(([key, signer]) => ({
      id: `genuine: ${version}, signed with ${key}`,
      about: `A transaction that is signed with ${key}, not the account's own key.`,
      bundle: sampleText({ ...options, signer }),
      options: careful,
    })),
  );
  const shared = Object.entries(versions).map(([version, options]) => ({
    id: `genuine: ${version}, form for sharing`,
    about: 'The form for sharing: the nonce is null.',
    bundle: shareBundle(readBundle(sampleText(options))),
    options: careful,
  }));
  return [...all, ...regular, ...shared, ...readers(), ...writings()];
}

function readers(): VectorInput[] {
  const { fileHash, accounts, logKeys, validatorListKeys } = careful;
  const of = (about: string, options: VectorInput['options'], bundle = attested) => ({
    id: `reader: ${about}`,
    about: `A genuine bundle, checked by a reader who ${about}.`,
    ...{ bundle, options },
  });
  const stranger = Wallet.fromEntropy(Buffer.alloc(16, 9)).address;
  const standalone = { ...versions['version 4'], change: { standalone: true } };
  const testnet = { ...versions['version 4'], change: { network: 'testnet' as const } };
  return [
    of('names nothing', {}),
    of('names nothing, version 1', {}, sampleText({ unlogged: true })),
    of('names the file only', { fileHash }),
    of('has another file', { ...careful, fileHash: 'ab'.repeat(32) }),
    of('names another account', { ...careful, accounts: [stranger] }),
    of('names several accounts', { ...careful, accounts: [stranger, ...accounts] }),
    of('names no account', { fileHash, logKeys, validatorListKeys }),
    of('names no key of the log', { fileHash, accounts, validatorListKeys }),
    of('names no publisher', { fileHash, accounts, logKeys }),
    of('names another publisher', {
      ...careful,
      validatorListKeys: ['ED2677ABFFD1B33AC6FBC3062B71F1E8397C1505E1C42C64D11AD1B28FF73F4734'],
    }),
    of('names several publishers', {
      ...careful,
      validatorListKeys: [`02${'ab'.repeat(32)}`, ...validatorListKeys],
    }),
    of('writes the key of the publisher in lower case', {
      ...careful,
      validatorListKeys: validatorListKeys.map((key) => key.toLowerCase()),
    }),
    of('gets a proof of the test network', careful, sampleText(testnet)),
    of('gets a proof of a development ledger', careful, sampleText(standalone)),
  ];
}

/** Other ways to write the same bundle, some of which are refused. */
function writings(): VectorInput[] {
  const draft = JSON.parse(logged);
  const reversed = Object.fromEntries(Object.entries(draft).reverse());
  const of = (about: string, bundle: string) => ({
    id: `writing: ${about}`,
    about: `A genuine bundle of version 3, written ${about}.`,
    ...{ bundle, options: careful },
  });
  const bytes = (about: string, content: Buffer) => ({
    id: `writing: ${about}`,
    about: `A genuine bundle of version 3, written ${about}.`,
    bundleBase64: content.toString('base64'),
    options: careful,
  });
  const index = '"ledgerIndex": 90000123';
  const number = (written: string) => logged.replace(index, `"ledgerIndex": ${written}`);
  const doubled = (member: string, value: string) =>
    logged.replace(`"${member}":`, `"${member}": ${value}, "${member}":`);
  return [
    of('without spaces', JSON.stringify(draft)),
    of('with tabs', JSON.stringify(draft, null, '\t')),
    of('with carriage returns', logged.replaceAll('\n', '\r\n')),
    of('with members in another order', JSON.stringify(reversed)),
    of('with escaped characters', logged.replace('Archive', '\\u0041rchiv\\u0065')),
    of('with an escaped member name', logged.replace('"format"', '"form\\u0061t"')),
    of('with an escaped solidus', logged.replaceAll('/', '\\/')),
    of('with a byte order mark', `\ufeff${logged}`),
    of('with two byte order marks', `\ufeff\ufeff${logged}`),
    of('with a no-break space in front', `\u00a0${logged}`),
    of('with a form feed in front', `\f${logged}`),
    of('with a comment', `${logged}// the end`),
    of('with a comma at the end', logged.replace(/\n\}\s*$/, ',\n}')),
    of('with another value after it', `${logged}{}`),
    of('with a zero byte after it', `${logged}\0`),
    of('in single quotes', logged.replaceAll('"', "'")),
    of('with a number as 90000123.0', number('90000123.0')),
    of('with a number as 9.0000123e7', number('9.0000123e7')),
    of('with a number as 900001230E-1', number('900001230E-1')),
    of('with a number as 090000123', number('090000123')),
    of('with a number as +90000123', number('+90000123')),
    of('with a number as 0x55D4AFB', number('0x55D4AFB')),
    of('with a number as 90000123.', number('90000123.')),
    of('with a number as 90000123.5', number('90000123.5')),
    of('with a number as a text', number('"90000123"')),
    of('with a number as 1e999', number('1e999')),
    of('with NaN', number('NaN')),
    of('with Infinity', number('Infinity')),
    of('with a number of 5,000 digits', number('9'.repeat(5_000))),
    of('with a fraction of 5,000 zeros', number(`90000123.${'0'.repeat(5_000)}`)),
    of('with the version as true', logged.replace('"version": 3', '"version": true')),
    of('with true as 1', logged.replace('"standalone": false', '"standalone": 0')),
    of('with the format twice, the same', doubled('format', '"proofmark/bundle"')),
    of('with the version twice', doubled('version', '1')),
    of(
      'with the file hash twice, the first of another file',
      doubled('fileHash', `"${'0'.repeat(64)}"`),
    ),
    of(
      'with a member twice, once with escapes',
      logged.replace('"account":', '"acc\\u006funt": "r", "account":'),
    ),
    of('with a member __proto__', logged.replace('"format"', '"__proto__": {}, "format"')),
    of('cut in the middle', logged.slice(0, 1_500)),
    of('with nothing', ''),
    of('as a list', `[${logged}]`),
    of('as null', 'null'),
    of('as a text', JSON.stringify(logged)),
    of('as 100,000 nested lists', '['.repeat(100_000)),
    of('as 100,000 nested objects', '{"a":'.repeat(100_000)),
    of(
      'inside 5,000 nested lists',
      `{"x":${'['.repeat(5_000)}${']'.repeat(5_000)},${logged.trim().slice(1)}`,
    ),
    of('with more than 1 MiB of spaces', logged.padEnd(1_024 * 1_024 + 1)),
    of('with exactly 1 MiB, spaces at the end', padded(1_024 * 1_024)),
    bytes('in Latin-1', Buffer.from(logged, 'latin1')),
    bytes('in UTF-16', Buffer.from(`\ufeff${logged}`, 'utf16le')),
    bytes(
      'with a byte that is not UTF-8',
      Buffer.concat([Buffer.from(logged.slice(0, -2)), Buffer.of(0xff), Buffer.from('}')]),
    ),
    bytes('with an overlong form in UTF-8', overlong()),
    bytes('with half a surrogate pair in UTF-8', halfPair()),
    of('with half a surrogate pair as an escape', withName('\\ud800')),
    of('with a surrogate pair as an escape', withName('\\ud83d\\ude00')),
    of('with a control character in a text', logged.replace('Archive', 'Arch\u0001ive')),
    of(
      'with an escaped control character',
      withName('\\u0001\\u001f\\u007f\\b\\f\\n\\r\\t\\"\\\\'),
    ),
    of('with U+2028 in a name', withName('\u2028\u2029\u0085')),
    of('with a name of 1,000 characters', withName('x'.repeat(1_000))),
    of('with a name of 1,001 characters', withName('x'.repeat(1_001))),
    of('with a name of 1,000 characters beyond U+FFFF', withName('\u{1f600}'.repeat(1_000))),
    of('with a name of 500 characters beyond U+FFFF', withName('\u{1f600}'.repeat(500))),
    of('with a name of 501 characters beyond U+FFFF', withName('\u{1f600}'.repeat(501))),
  ];
}

function padded(bytes: number): string {
  return logged + ' '.repeat(bytes - Buffer.byteLength(logged));
}

function overlong(): Buffer {
  const [before = '', after = ''] = logged.split('Archive');
  return Buffer.concat([Buffer.from(before), Buffer.of(0xc1, 0x81), Buffer.from(after)]);
}

function halfPair(): Buffer {
  const [before = '', after = ''] = logged.split('Archive');
  return Buffer.concat([Buffer.from(before), Buffer.of(0xed, 0xa0, 0x80), Buffer.from(after)]);
}

/** The bundle with this name of a workspace, in JSON, and a right checksum if it has one. */
function withName(written: string): string {
  let text = resealed(logged, (draft) => {
    draft.certificate.workspaceName = 'PLACE';
  }).replace('PLACE', written);
  try {
    text = sealed(JSON.parse(text)).replace(
      JSON.stringify(JSON.parse(`"${written}"`)),
      `"${written}"`,
    );
  } catch {}
  return text;
}

/** Each value of a bundle altered at random, with a right and a wrong checksum; members too many and missing. */
export function alteredVectors(random: Random): VectorInput[] {
  const vectors: VectorInput[] = [];
  const add = (id: string, about: string, bundle: string) => {
    vectors.push({ id, about, bundle, options: careful });
  };
  for (const [version, options] of Object.entries(versions)) {
    const draft = JSON.parse(sampleText(options));
    const isNewest = version === 'version 4';
    for (const place of placesIn(draft)) {
      const path = place.join('.');
      const isLong = isNewest || /^(log|addresses|version)/.test(path);
      if (!isLong && random() < 0.6) continue;
      let altered: unknown = null;
      for (let tries = 0; altered === null && tries < 20; tries += 1) {
        altered = alterAt(draft, place, random);
      }
      if (altered === null || path === 'checksum') continue;
      add(
        `altered: ${version}, ${path}`,
        `The value ${path} is altered or missing; the checksum is right.`,
        sealedOrNot(altered),
      );
    }
    for (const place of [[], ...placesIn(draft)]) {
      const value = place.reduce((at: Draft, name) => at[name], draft);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      if (!isNewest && place.length > 0) continue;
      const path = place.join('.') || 'the bundle';
      const copy = structuredClone(draft);
      place.reduce((at: Draft, name) => at[name], copy).extra = 1;
      add(
        `additional member: ${version}, ${path}`,
        `There is an additional member "extra" in ${path}; the checksum is right.`,
        sealedOrNot(copy),
      );
    }
    add(
      `checksum: ${version}, of another bundle`,
      'The checksum is wrong.',
      JSON.stringify({ ...draft, checksum: 'ab'.repeat(32) }),
    );
    add(
      `checksum: ${version}, another name`,
      'The name of the workspace was changed, but not the checksum.',
      sampleText(options).replace('Archive', 'Another'),
    );
    add(
      `checksum: ${version}, another name and a right checksum`,
      'The name of the workspace was changed, and the checksum computed anew: names are claims.',
      resealed(sampleText(options), (one) => {
        one.certificate.workspaceName = 'Another';
      }),
    );
    for (const stated of [0, 1, 2, 3, 4, 5, 99]) {
      if (stated === draft.version) continue;
      add(
        `version: ${version} as ${stated}`,
        `A bundle of ${version} states the version ${stated}.`,
        sealed({ ...draft, version: stated }),
      );
    }
  }
  return vectors;
}

function sealedOrNot(draft: Draft): string {
  try {
    return sealed(draft);
  } catch {
    return JSON.stringify(draft);
  }
}

/** Statements at the limits of their form, and facts that contradict each other. */
export function contradictionVectors(): VectorInput[] {
  const of = (about: string, change: (draft: Draft) => void, text = logged, anew = true) => ({
    id: `contradiction: ${about}`,
    about: `${about[0]?.toUpperCase()}${about.slice(1)}; checksum${anew ? ' and log entry are' : ' is'} right.`,
    bundle: resealed(text, (draft) => {
      change(draft);
      if (anew) relog(draft);
    }),
    options: careful,
  });
  const { transactionHash } = JSON.parse(logged).anchor;
  const address = (url: string) => (draft: Draft) => {
    draft.addresses.verifyUrl = url;
  };
  const anchor = (change: object) => (draft: Draft) => Object.assign(draft.anchor, change);
  return [
    of('the close time is without milliseconds', anchor({ closeTimeIso: '2026-11-20T23:03:33Z' })),
    of('the close time has microseconds', anchor({ closeTimeIso: '2026-11-20T23:03:33.000000Z' })),
    of(
      'the close time as text is another one',
      anchor({ closeTimeIso: '2026-11-20T23:03:34.000Z' }),
    ),
    of(
      'the close time is in another time zone',
      anchor({ closeTimeIso: '2026-11-21T00:03:33+01:00' }),
    ),
    of(
      'the close time is on the 30th of February',
      anchor({ closeTimeIso: '2026-02-30T23:03:33.000Z' }),
    ),
    of('the close time is at 24 hours', anchor({ closeTimeIso: '2026-11-20T24:03:33.000Z' })),
    of('the close time has a leap second', anchor({ closeTimeIso: '2026-11-20T23:03:60.000Z' })),
    of('the close time has a small t', anchor({ closeTimeIso: '2026-11-20t23:03:33.000z' })),
    of('the year is not in ASCII digits', anchor({ closeTimeIso: '٢٠٢٦-11-20T23:03:33.000Z' })),
    of('the close time ends in a newline', anchor({ closeTimeIso: '2026-11-20T23:03:33.000Z\n' })),
    of('the network is the test network', anchor({ network: 'testnet' })),
    of('the network is a development network', anchor({ network: 'devnet' })),
    of('the ledger is a development ledger', anchor({ standalone: true })),
    of('the ledger index is too large', anchor({ ledgerIndex: 4_294_967_296 })),
    of('the ledger index is negative', anchor({ ledgerIndex: -1 })),
    of('the ledger index is later than the last ledger', anchor({ ledgerIndex: 90_000_126 })),
    of(
      'the transaction hash is in lower case',
      anchor({ transactionHash: transactionHash.toLowerCase() }),
    ),
    of(
      'the account has a wrong checksum',
      anchor({ account: 'r3sNTMefq5gsRumMYsNznnX6yzzxVH6dTD' }),
    ),
    of(
      'the account has a digit that base 58 lacks',
      anchor({ account: 'r3sNTMefq5gsRumMYsNznnX6yzzxVH6d0C' }),
    ),
    of('the account is another one', anchor({ account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' })),
    of('an address ends in a slash', address(`https://a.example/${transactionHash}/`)),
    of(
      'an address has a query before the hash',
      address(`https://a.example/?t=${transactionHash}`),
    ),
    of('an address has a fragment', address(`https://a.example/#${transactionHash}`)),
    of('an address is of another scheme', address(`ftp://a.example/${transactionHash}`)),
    of('an address is a script', address(`javascript:alert(1)//${transactionHash}`)),
    of('an address has a space', address(`https://a.example/ ${transactionHash}`)),
    of('an address has a no-break space', address(`https://a.example/\u00a0${transactionHash}`)),
    of('an address has U+FEFF', address(`https://a.example/\ufeff${transactionHash}`)),
    of('an address has U+0085', address(`https://a.example/\u0085${transactionHash}`)),
    of('an address has U+180E', address(`https://a.example/\u180e${transactionHash}`)),
    of('an address has U+001C', address(`https://a.example/\u001c${transactionHash}`)),
    of('an address is in capitals', address(`HTTPS://A.EXAMPLE/${transactionHash}`)),
    of(
      'an address has a small hash',
      address(`https://a.example/${transactionHash.toLowerCase()}`),
    ),
    of(
      'an address is of 2,048 characters',
      address(`https://a.example/${'x'.repeat(1_966)}${transactionHash}`),
    ),
    of(
      'an address is of 2,049 characters',
      address(`https://a.example/${'x'.repeat(1_967)}${transactionHash}`),
    ),
    of('the proof id is of another proof', (draft) => {
      draft.certificate.proofId = '01M7XT7V10RJ1CFD26ZBSKQXP7';
    }),
    of('the template version is 2', (draft) => {
      draft.certificate.templateVersion = 2;
    }),
    of('the revision has no previous transaction', (draft) => {
      draft.revision.previousTransactionHash = null;
    }),
    of('the revision is number 0', (draft) => {
      draft.revision.number = 0;
    }),
    of('the revision has no number', (draft) => {
      draft.revision.number = null;
    }),
    of(
      'the plain scheme has a nonce',
      (draft) => {
        draft.commitment.nonce = 'ab'.repeat(32);
      },
      sampleText({ hashScheme: 'sha256-plain-v1' }),
    ),
    of('the scheme is another salted one', (draft) => {
      draft.commitment.hashScheme = 'hmac-sha256-nonce-v2';
    }),
    of('the scheme is unknown', (draft) => {
      draft.commitment.hashScheme = 'hmac-sha256-nonce-v9';
    }),
    of('the nonce is short', (draft) => {
      draft.commitment.nonce = 'ab'.repeat(31);
    }),
    of('the nonce is another one', (draft) => {
      draft.commitment.nonce = 'ab'.repeat(32);
    }),
    of('the file hash is of another file', (draft) => {
      draft.file.fileHash = 'ab'.repeat(32);
    }),
    of('the file size is 2^53', (draft) => {
      draft.file.fileSizeBytes = 2 ** 53;
    }),
    of('the file size is 2^53 - 1', (draft) => {
      draft.file.fileSizeBytes = 2 ** 53 - 1;
    }),
    of('the file has no name, size and type', (draft) => {
      Object.assign(draft.file, { fileName: null, fileSizeBytes: null, mimeType: null });
    }),
    of('the memo has spaces', (draft) => {
      draft.evidence.memo.data = draft.evidence.memo.data.replaceAll('":"', '": "');
    }),
    of('the memo has another order', (draft) => {
      const { fileHash, hashScheme, previous } = JSON.parse(draft.evidence.memo.data);
      draft.evidence.memo.data = JSON.stringify({ hashScheme, fileHash, previous });
    }),
    of('the memo is of 1,025 characters', (draft) => {
      draft.evidence.memo.data = draft.evidence.memo.data.padEnd(1_025);
    }),
    of('the memo is of another type', (draft) => {
      draft.evidence.memo.type = 'proofmark/checkpoint';
    }),
    ...headers(of),
  ];
}

type Of = (about: string, change: (draft: Draft) => void) => VectorInput;

function headers(of: Of): VectorInput[] {
  const header = (change: (hex: string) => string) => (draft: Draft) => {
    draft.evidence.ledgerHeader = change(draft.evidence.ledgerHeader);
  };
  const metadata = (change: (hex: string) => string) => (draft: Draft) => {
    draft.evidence.metadata = change(draft.evidence.metadata);
  };
  return [
    of(
      'the header has a byte less',
      header((hex) => hex.slice(0, -2)),
    ),
    of(
      'the header has a byte more',
      header((hex) => `${hex}00`),
    ),
    of(
      'the header is one byte',
      header(() => '00'),
    ),
    of(
      'the header is in lower case',
      header((hex) => hex.toLowerCase()),
    ),
    of(
      'the header has half a byte',
      header((hex) => hex.slice(0, -1)),
    ),
    of(
      'the header is of another close time',
      header((hex) => `${hex.slice(0, -10)}${'00000000'}${hex.slice(-2)}`),
    ),
    of(
      'the result is tecCLAIM',
      metadata((hex) => hex.replace(/031000$/, '031064')),
    ),
    of(
      'the metadata have no result',
      metadata((hex) => hex.replace(/031000$/, '')),
    ),
    of(
      'the metadata have a field after the result',
      metadata((hex) => `${hex}031100`),
    ),
    of(
      'the metadata state another index',
      metadata((hex) => hex.replace(/^201C00000003/, '201C00000004')),
    ),
    of(
      'the metadata change another account',
      metadata((hex) => hex.replace('81144D34', '81144D35')),
    ),
    of(
      'the metadata use another Sequence',
      metadata((hex) => hex.replaceAll('2400000008', '2400000009')),
    ),
    of(
      'the metadata use an earlier Sequence',
      metadata((hex) => hex.replaceAll('2400000007', '2400000006')),
    ),
    of(
      'the metadata change nothing',
      metadata(() => '201C00000003F8F1031000'),
    ),
    of(
      'the metadata create the account',
      metadata((hex) => hex.replace('F8E5', 'F8E3')),
    ),
    of(
      'the metadata change an object of another type',
      metadata((hex) => hex.replace('E5110061', 'E5110064')),
    ),
    of(
      'the metadata change the account twice',
      metadata((hex) => hex.replace(/F8(.*)F1031000$/, 'F8$1$1F1031000')),
    ),
    of(
      'the metadata are cut',
      metadata((hex) => hex.slice(0, 100)),
    ),
    of(
      'the metadata are one byte',
      metadata(() => '00'),
    ),
    of(
      'the metadata are nested deeply',
      metadata(() => `201C00000003${'F9EA'.repeat(2_000)}`),
    ),
    of(
      'the metadata have 16 KiB',
      metadata((hex) => ofSize(hex, 16_384)),
    ),
    of(
      'the metadata have more than 16 KiB',
      metadata((hex) => ofSize(hex, 16_385)),
    ),
    of(
      'the metadata are nested 10 levels deep',
      metadata((hex) => nested(hex, 10)),
    ),
    of(
      'the metadata are nested 11 levels deep',
      metadata((hex) => nested(hex, 11)),
    ),
    of(
      'the metadata have a cut hash',
      metadata((hex) => hex.replace(/E1E1F1031000$/, 'E10113020000E1F1031000')),
    ),
    of(
      'the metadata have a list of hashes',
      metadata((hex) => hex.replace(/E1E1F1031000$/, `E1011320${'A2'.repeat(32)}E1F1031000`)),
    ),
    of(
      'the metadata have a signed number',
      metadata((hex) => hex.replace(/((?:A2){32})E6/, '$1A200000001E6')),
    ),
    of(
      'the metadata state 10^17 drops',
      metadata((hex) => hex.replace(/E62400000007624.{15}/, 'E6240000000762416345785D8A0000')),
    ),
    of(
      'the metadata state more than 10^17 drops',
      metadata((hex) => hex.replace(/E62400000007624.{15}/, 'E6240000000762416345785D8A0001')),
    ),
    of(
      'the metadata state an impossible length',
      metadata((hex) => hex.replace('8114', '81FF')),
    ),
    of(
      'the metadata state a length beyond their end',
      metadata((hex) => hex.replace('8114', '81C0')),
    ),
    of(
      'the metadata have an unknown field',
      metadata((hex) => hex.replace(/F1031000$/, 'F10310000FFF00')),
    ),
  ];
}

/** The metadata with a field of the account in front of its address, so that all have this size. */
function ofSize(hex: string, bytes: number): string {
  const missing = bytes - hex.length / 2 - 4;
  const length = (missing - 12_481).toString(16).toUpperCase().padStart(4, '0');
  return hex.replace('8114', `77F1${length}${'41'.repeat(missing)}8114`);
}

/** The metadata with lists and objects after the address, so that they have so many levels. */
function nested(hex: string, levels: number): string {
  let inner = '';
  for (let level = levels; level > 3; level -= 1)
    inner = level % 2 === 0 ? `F9${inner}F1` : `EA${inner}E1`;
  return hex.replace('E1E1F1031000', `${inner}E1E1F1031000`);
}
