import { createHash } from 'node:crypto';
import { BinaryParser } from 'ripple-binary-codec/dist/serdes/binary-parser.js';
import type { Random } from '../seed.ts';
import type { Mutant, Mutate } from './mutant.ts';
import { mutateJson } from './mutate-json.ts';
import { mutatedBytes, pick, upTo } from './mutated-bytes.ts';
import { pdfAttached, pdfBytes } from './mutated-pdfs.ts';
import { withOtherValidation } from './mutated-validations.ts';
import type { VectorInput } from './vector.ts';
import { type Draft, relog, sealed } from './vector-bases.ts';

/**
 * Vectors without verdicts, each a known one with a few random changes. Changes of values keep what depends on them
 * right, as a forger does: hashes, the entry of the log, the checksum.
 */
export function* mutatedVectors(
  bases: readonly VectorInput[],
  random: Random,
): Generator<VectorInput> {
  for (let count = 0; ; count += 1) {
    const base = pick(bases, random);
    const how = pick(kinds, random);
    const mutant = how(base, random);
    if (mutant === null) continue;
    const { about, options } = base;
    const kept = 'options' in mutant ? base : { about, options };
    yield { ...kept, ...mutant, id: `${count}: ${how.name} of ${base.id}` };
  }
}

const kinds: readonly Mutate[] = [
  jsonText,
  jsonText,
  values,
  values,
  ledgerData,
  ledgerData,
  evidenceOfOthers,
  validationOfOthers,
  noteOfLog,
  pdfBytes,
  pdfBytes,
  pdfAttached,
  pdfBytes,
  pdfBytes,
  pdfAttached,
  pdfBytes,
  pdfBytes,
  optionTexts,
];

function draftOf({ bundle }: VectorInput): Draft {
  try {
    const draft = JSON.parse(bundle ?? '');
    return draft?.anchor?.transactionHash === undefined ? null : draft;
  } catch {
    return null;
  }
}

function bundleOf(draft: Draft): Mutant {
  try {
    return { bundle: sealed(draft) };
  } catch {
    return { bundle: JSON.stringify(draft) };
  }
}

function jsonText({ bundle }: VectorInput, random: Random): Mutant {
  if (bundle === undefined || bundle.length > 200_000) return null;
  let text = bundle;
  for (let left = 1 + upTo(2, random); left > 0; left -= 1) text = mutateJson(text, random);
  return text.isWellFormed()
    ? { bundle: text }
    : { bundleBase64: Buffer.from(text).toString('base64') };
}

/** Values altered in place, with a right checksum and mostly a right entry of the log. */
function values(base: VectorInput, random: Random): Mutant {
  const draft = draftOf(base);
  if (draft === null) return null;
  const places: [Draft, string][] = [];
  const walk = (at: Draft) => {
    for (const [name, value] of Object.entries(at)) {
      places.push([at, name]);
      if (typeof value === 'object' && value !== null) walk(value);
    }
  };
  walk(draft);
  for (let left = 1 + upTo(2, random); left > 0; left -= 1) {
    const [at, name] = pick(places, random);
    const [from, other] = pick(places, random);
    const value = at[name];
    at[name] =
      random() < 0.3
        ? structuredClone(from[other])
        : typeof value === 'string' && random() < 0.8
          ? alteredText(value, random)
          : pick(oddValues, random);
  }
  if (random() < 0.6) tryTo(() => relog(draft));
  return bundleOf(draft);
}

function alteredText(text: string, random: Random): string {
  const at = upTo(text.length + 1, random);
  const cut = at + upTo(3, random);
  return text.slice(0, at) + pick(oddTexts, random) + text.slice(cut);
}

const oddTexts = [
  ...[
    '',
    ' ',
    '\n',
    '\r\n',
    '\0',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u180e',
    '\u001c',
    '\u001f',
  ],
  ...[
    'é',
    'e\u0301',
    '😀',
    '\u202e',
    'K',
    'ſ',
    '١',
    '０',
    '/',
    '"',
    '\\',
    '+',
    '=',
    '==',
    '-',
    '.',
    '0',
    '1',
    'a',
    'A',
    'f',
    'F',
  ],
  ...['— x AAAAAAAA\n', '\n\n', 'https://', '#', '?', '%00', 'Z', 'T', '00', 'ED', '02'],
];

const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    0.5,
    1e-7,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 53 - 1,
    2 ** 53,
    1e21,
    1e300,
  ],
  ...['', '0', 'null', [], {}, [[]], [null], { a: 1 }, ['']],
];

/** Bytes of the ledger's data altered; hashes, addresses and the entry of the log are right. */
function ledgerData(base: VectorInput, random: Random): Mutant {
  const draft = draftOf(base);
  if (draft === null) return null;
  const name = pick(['blob', 'metadata', 'ledgerHeader'], random);
  tryTo(() => {
    const before = draft.evidence[name];
    const bytes = Buffer.from(before, 'hex');
    draft.evidence[name] = mutatedBytes(bytes, random, fieldTokens).toString('hex').toUpperCase();
    if (hasUnknownField(draft.evidence[name])) draft.evidence[name] = before;
    const { blob, ledgerHeader } = draft.evidence;
    const hash = half(Buffer.concat([Buffer.from('TXN\0'), Buffer.from(blob, 'hex')]));
    const all = JSON.stringify({ anchor: draft.anchor, addresses: draft.addresses });
    Object.assign(draft, JSON.parse(all.replaceAll(draft.anchor.transactionHash, hash)));
    draft.anchor.ledgerHash = half(
      Buffer.concat([Buffer.from('LWR\0'), Buffer.from(ledgerHeader, 'hex')]),
    );
    if (draft.log !== undefined) relog(draft);
  });
  return bundleOf(draft);
}

/** Readers that know the names of fields, and readers that know their types alone, differ about new ones. */
function hasUnknownField(hex: string): boolean {
  const parser = new BinaryParser(hex);
  try {
    while (!parser.end()) {
      const field = parser.readField();
      if (field === undefined) return true;
      if (!/^ST|Marker$/.test(`${field.type.name} ${field.name}`)) parser.readFieldValue(field);
    }
  } catch {}
  return false;
}

const fieldTokens = [
  ...[
    'F1',
    'E1',
    'F9EA',
    'E5',
    'E6',
    'E7',
    'F8',
    '00',
    '12',
    '120003',
    '2400000007',
    '0310',
    '031000',
    '8114',
  ],
  ...[
    '6840',
    '68C0',
    '7C',
    '7300',
    '74C1',
    'C100',
    'F1FFFF',
    'F0',
    'FE',
    'FF',
    '001000',
    '0112',
    '0310AA',
    '1010',
    '701200',
  ],
  ...[
    '0112000000',
    '0113020000',
    'C0',
    'D0',
    '50',
    '40',
    '31',
    '0014',
    '9400',
    'A0',
    'B0',
    '011901',
    '7D',
    '7E00',
    '2200000000',
  ],
].map((hex) => Buffer.from(hex, 'hex'));

function half(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').slice(0, 64).toUpperCase();
}

/** Bytes of validators and of time-stamping authorities altered. */
function evidenceOfOthers(base: VectorInput, random: Random): Mutant {
  const draft = draftOf(base);
  if (draft === null) return null;
  const { attestation, timestamp } = draft;
  const holders: [Draft, string][] = [];
  const add = (at: Draft) => {
    if (typeof at !== 'object' || at === null) return;
    for (const [name, value] of Object.entries(at)) {
      if (typeof value === 'string') holders.push([at, name]);
      else add(value);
    }
  };
  add(attestation);
  add(timestamp);
  if (holders.length === 0) return null;
  const [at, name] = pick(holders, random);
  if (random() < 0.3) at[name] = alteredText(at[name], random);
  else {
    const bytes = Buffer.from(at[name], 'base64');
    const tokens = name === 'blob' ? jsonTokens : fieldTokens;
    at[name] = mutatedBytes(bytes, random, tokens).toString('base64');
  }
  return bundleOf(draft);
}

function validationOfOthers(base: VectorInput, random: Random): Mutant {
  const draft = draftOf(base);
  const bundle = draft === null ? null : withOtherValidation(draft, random);
  return bundle === null ? null : { bundle };
}

const jsonTokens = [
  'null',
  '0',
  '-1',
  '1e400',
  'NaN',
  '""',
  '[]',
  '{}',
  ',',
  '"sequence":1,',
  '\ufeff',
  '\\u0000',
  '\\ud800',
  '1.0',
  '-0',
].map((text) => Buffer.from(text));

function noteOfLog(base: VectorInput, random: Random): Mutant {
  const draft = draftOf(base);
  if (draft === null) return null;
  const at = draft.issuer !== undefined && random() < 0.5 ? draft.issuer : draft.log;
  const name = at === draft.log ? 'checkpoint' : 'note';
  if (typeof at?.[name] !== 'string') return null;
  const lines: string[] = at[name].split('\n');
  const index = upTo(lines.length, random);
  const way = random();
  if (way < 0.2) lines.splice(index, 0, pick(lines, random));
  else if (way < 0.3) lines.splice(index, 1);
  else lines[index] = alteredText(lines[index] ?? '', random);
  at[name] = lines.join('\n');
  return bundleOf(draft);
}

function optionTexts({ options }: VectorInput, random: Random): Mutant {
  const altered = (text: string) => alteredText(text, random);
  const { logKeys, issuerKeys, policy } = options;
  const way = random();
  if (way < 0.3 && logKeys) return { options: { ...options, logKeys: logKeys.map(altered) } };
  if (way < 0.6 && issuerKeys)
    return { options: { ...options, issuerKeys: issuerKeys.map(altered) } };
  if (policy) return { options: { ...options, policy: altered(altered(policy)) } };
  return null;
}

function tryTo(change: () => void): void {
  try {
    change();
  } catch {}
}
