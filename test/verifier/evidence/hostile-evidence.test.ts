import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { nodeKey } from '../../../src/verifier/evidence/base58.ts';
import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { followChain } from '../../../src/verifier/evidence/header-chain.ts';
import { readHeader } from '../../../src/verifier/evidence/ledger-header.ts';
import { maxChain, maxTokenBytes } from '../../../src/verifier/evidence/limits.ts';
import { buildXpop } from '../../../src/verifier/xpop/build-xpop.ts';
import { maxXpopBytes } from '../../../src/verifier/xpop/read-xpop.ts';
import { alterAt, placesIn } from '../../support/alterations.ts';
import { newFolder } from '../../support/blobs.ts';
import type { HostileText, MeasuredText } from '../../support/measure-verifier.ts';
import { projectRoot, run } from '../../support/run.ts';
import { runCount } from '../../support/run-count.ts';
import {
  sampleBundle,
  sampleStamped,
  sampleStampedAlone,
  sampleTsaFile,
} from '../../support/sample-bundle.ts';
import { seededRandom } from '../../support/seed.ts';
import {
  syntheticNetwork,
  syntheticSigner,
  writeManifest,
  writeValidation,
} from '../../support/synthetic-network.ts';
import { samplePublisher, sampleXpops } from '../../support/validated-network.ts';

const mostBytes = 64 * 1_024 * 1_024;
const noProc = !existsSync('/proc/self/clear_refs') && 'NO /proc, so memory is not measured';

if (noProc) console.error(noProc);

const small = syntheticNetwork(5);
const large = syntheticNetwork(128, 'large');
const bundles = [0, 3].map((laterLedgers) => {
  return sampleBundle({ attested: { network: small, laterLedgers } });
});
const largest = sampleBundle({ attested: { network: large, laterLedgers: maxChain } });
const genuine = sampleXpops().filter(
  ({ expected, file }) => expected === 'accept' && /^valid-/.test(file) && !/5-listed/.test(file),
);

function bundleText({ checksum: _, ...rest }: Bundle): string {
  return JSON.stringify({ ...rest, checksum: bundleChecksum(rest) });
}

/** Small alterations of genuine evidence. */
function alterations(random: () => number): HostileText[] {
  const among = <One>(all: readonly One[]) => all[Math.floor(random() * all.length)] as One;
  return Array.from({ length: runCount(40, 100) }, (_, n): HostileText | null => {
    if (n % 2 === 0) {
      const bundle = among(bundles);
      const place = among(placesIn(bundle).filter(([member]) => member === 'attestation'));
      const altered = alterAt(bundle, place, random) as Bundle | null;
      const keys = [small.publisherKey];
      return altered && { what: place.join('.'), form: 'bundle', text: bundleText(altered), keys };
    }
    const { file, text } = among(genuine);
    const xpop = JSON.parse(text);
    const place = among(placesIn(xpop).filter((each) => each.at(-1) !== 'key'));
    const altered = alterAt(xpop, place, random);
    const what = `${file} ${place.join('.')}`;
    const keys = [samplePublisher];
    return altered === null ? null : { what, form: 'xpop', text: JSON.stringify(altered), keys };
  }).filter((one) => one !== null);
}

/** XPOPs as large as they may be, with as much work as possible in them. */
function largeXpops(): HostileText[] {
  const [{ text = '' } = {}] = genuine;
  const xpop = JSON.parse(text);
  const withProof = (proof: string) => text.replace(/"proof":[\s\S]*/, `"proof":${proof}}}`);
  const room = maxXpopBytes - 50_000;
  const zeros = `"${'0'.repeat(64)}"`;
  const node = `[${Array.from({ length: 16 }, () => zeros).join()}]`;
  const wide = (inner: string) => `[${Array.from({ length: 16 }, () => inner).join()}]`;
  const nodes = wide(wide(node)).slice(0, room);
  const leaf = `{"children":{},"hash":${zeros},"key":""}`;
  const branch = (inner: string) =>
    `{"children":{${[...'0123456789ABCDEF'].map((digit) => `"${digit}":${inner}`).join()}},"hash":${zeros},"key":""}`;
  const validations = Object.entries(xpop.validation.data);
  const many = Array.from({ length: 256 }, (_, n) => [`n${n}`, validations[n % 4]?.[1]]);
  const change = (parts: object) => JSON.stringify({ ...xpop, ...parts });
  return [
    ['nested lists', withProof(`${'['.repeat(400_000)}${']'.repeat(400_000)}`)],
    ['many empty lists', withProof(`[${'[],'.repeat(330_000)}[]]`)],
    ['a wide list', withProof(nodes)],
    ['a wide tree', withProof(branch(branch(branch(leaf))))],
    ['many numbers', withProof(`[${'1,'.repeat(500_000)}1]`)],
    [
      'many validations',
      change({ validation: { ...xpop.validation, data: Object.fromEntries(many) } }),
    ],
    ['a large list', text.replace(/"blob":"ey/, `"blob":"${'A'.repeat(900_000)}`)],
    ['a large transaction', text.replace(/"meta":"/, `"meta":"${'00'.repeat(490_000)}`)],
    [
      'escaped characters',
      text.replace(/"manifest":"/, `"manifest":"${'\\u0041'.repeat(150_000)}`),
    ],
  ].map(([what = '', hostile = '']) => ({
    what,
    form: 'xpop',
    text: hostile,
    keys: [samplePublisher],
  }));
}

/** The attestation of the largest bundle, or with other parts. */
function changed(what: string, change: object = {}): HostileText {
  if (largest.version !== 4) throw new Error('the sample has no attestation');
  const attestation = { ...largest.attestation, ...change };
  const text = bundleText({ ...largest, attestation });
  return { what, form: 'bundle', text, keys: [large.publisherKey] };
}

/** Changes the last bit, which is of the signature. */
function flip(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const last = bytes.length - 1;
  bytes[last] = (bytes[last] ?? 0) ^ 1;
  return bytes.toString('base64');
}

/** Bundles with the longest chain, in which as many signatures as possible are verified. */
function costlyBundles(): { readonly refused: HostileText[]; readonly accepted: HostileText[] } {
  if (largest.version !== 4) throw new Error('the sample has no attestation');
  const { chain, validations } = largest.attestation;
  const links = Buffer.from(chain, 'base64');
  const signed = followChain(readHeader(Buffer.from(largest.evidence.ledgerHeader, 'hex')), links);
  const thieves = large.validators.map((_, place) => syntheticSigner(`thief ${place}`));
  // The thief can sign with the key that the manifest names, but not with the master key.
  const manifests = large.validators.map(({ master }, place) =>
    flip(encodeBase64(writeManifest(master, thieves[place]?.signing ?? null, 9))),
  );
  const stolen = thieves.map(({ signing }) => encodeBase64(writeValidation(signing, signed).bytes));
  const falseOnes = validations.map(flip);
  return {
    refused: [
      changed('many false signatures', { validations: falseOnes, manifests }),
      changed('many false validations', { validations: falseOnes }),
      changed('validations by thieves', { validations: stolen, manifests }),
      changed('validations by thieves and others', {
        validations: [...validations.slice(0, 102), ...stolen.slice(102)],
        manifests,
      }),
      changed('a chain to nowhere', { chain: Buffer.alloc(links.length, 1).toString('base64') }),
    ],
    accepted: [changed('the largest bundle'), changed('useless manifests', { manifests })],
  };
}

/** An XPOP of the largest network, with a false validation beside each true one. */
function doubledXpop(): HostileText {
  const keys = [large.publisherKey];
  const one = sampleBundle({ attested: { network: large } });
  if (one.version !== 4) throw new Error('the sample has no attestation');
  const { blob, metadata, ledgerHeader } = one.evidence;
  const header = readHeader(Buffer.from(ledgerHeader, 'hex'));
  const item = { blob: Buffer.from(blob, 'hex'), metadata: Buffer.from(metadata, 'hex') };
  const path = Buffer.from(one.attestation.path, 'base64');
  const validations = large.validations(header);
  const xpop = buildXpop({ item, path, header, validations, list: large.list() }, keys);
  const falseOnes = large.validators.map(({ master }, place) => {
    const bytes = encodeBase64(validations[place]?.bytes ?? new Uint8Array());
    return [nodeKey(master.publicKey), Buffer.from(flip(bytes), 'base64').toString('hex')];
  });
  const data = { ...Object.fromEntries(falseOnes), ...xpop.validation.data };
  const text = JSON.stringify({ ...xpop, validation: { ...xpop.validation, data } });
  return { what: 'twice as many validations', form: 'xpop', text, keys };
}

const alone = sampleBundle(sampleStampedAlone);
const token = Buffer.from(sampleStampedAlone.stamped ?? []);
const { raw: tsaRoot } = new X509Certificate(readFileSync(sampleTsaFile));

/** A stored sample with another token (DER, or base64). */
function withToken(what: string, given: Uint8Array | string): HostileText {
  if (alone.version !== 5) throw new Error('the sample has no token');
  const base64 = typeof given === 'string' ? given : Buffer.from(given).toString('base64');
  const text = bundleText({ ...alone, timestamp: { ...alone.timestamp, token: base64 } });
  return { what, form: 'bundle', text, keys: [], root: tsaRoot.toString('base64') };
}

/** A constructed element around the content. */
function wrapped(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.of(tag, length), content]);
  const size = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** Tokens of strangers, some as large as they may be. */
function hostileTokens(random: () => number): HostileText[] {
  const garbage = Uint8Array.from({ length: maxTokenBytes }, () => Math.floor(256 * random()));
  let nested: Uint8Array = Buffer.of();
  while (nested.length < maxTokenBytes - 4) nested = wrapped(0x30, nested);
  const nulls = wrapped(0x30, Buffer.from('0500'.repeat(maxTokenBytes / 2 - 4), 'hex'));
  // SEQUENCE of indefinite length, with the same content.
  const indefinite = Buffer.concat([Buffer.of(0x30, 0x80), token.subarray(4), Buffer.of(0, 0)]);
  const longForm = Buffer.concat([Buffer.of(0x30, 0x83, 0), token.subarray(2)]);
  return [
    withToken('no token', ''),
    withToken('garbage', garbage),
    withToken('garbage in a sequence', wrapped(0x30, garbage.subarray(8))),
    withToken('deep nesting', nested),
    withToken('as many elements as possible', nulls),
    withToken('an indefinite length', indefinite),
    withToken('a length in a longer form', longForm),
    withToken('a token that ends too early', token.subarray(0, -1)),
    withToken('bytes after the token', Buffer.concat([token, token])),
    withToken('a huge token', 'A'.repeat(900_000)),
    withToken('the token of another checkpoint', sampleStamped.stamped ?? ''),
  ];
}

test('no hostile evidence takes more than a second or 64 MiB', { skip: noProc }, async (t) => {
  const [{ text: xpop = '' } = {}] = genuine;
  const members = Array.from({ length: 60_000 }, (_, n) => `"x${n}":[0],`).join('');
  const unknown = xpop.replace(/^\{/, `{${members}`);
  const costly = costlyBundles();
  const honest: HostileText[] = [
    ...costly.accepted,
    doubledXpop(),
    { what: 'an XPOP', form: 'xpop', text: xpop, keys: [samplePublisher] },
    // Other writers may add members.
    withToken('a token', token),
    { what: 'unknown members', form: 'xpop', text: unknown, keys: [samplePublisher] },
  ];
  const random = seededRandom(t);
  const evidence = [...largeXpops(), ...costly.refused, ...alterations(random)];
  const hostile = [...evidence, ...hostileTokens(random)];
  const file = join(await newFolder(t), 'hostile.ndjson');
  await writeFile(file, [...honest, ...hostile].map((one) => JSON.stringify(one)).join('\n'));
  const script = join(projectRoot, 'test/support/measure-verifier.ts');
  const args = ['--expose-gc', '--max-old-space-size=96', script, file];
  const { code, stdout, stderr } = await run(t, [process.execPath, ...args]).ended;
  t.equal(code, 0, stderr);
  const measured = stdout
    .trim()
    .split('\n')
    .map((line): MeasuredText => JSON.parse(line));
  t.equal(measured.length, honest.length + hostile.length);
  // Beside other work a processor takes longer: then the largest honest bundle is the measure.
  const mostMs = Math.max(1_000, 2 * (measured[0]?.ms ?? 0));
  for (const { what, isAccepted, ms, bytes } of measured) {
    const isHonest = honest.some((one) => one.what === what);
    t.equal(isAccepted, isHonest, what);
    t.ok(ms < mostMs && bytes < mostBytes, `${what}: ${Math.round(ms)} ms, ${bytes >> 20} MiB`);
  }
  const most = (of: (one: MeasuredText) => number) =>
    measured
      .toSorted((a, b) => of(b) - of(a))
      .slice(0, 4)
      .map((one) => `${one.what} ${Math.round(of(one))}`);
  t.comment(`ms: ${most(({ ms }) => ms).join('; ')}`);
  t.comment(`MiB: ${most(({ bytes }) => bytes / 2 ** 20).join('; ')}`);
});
