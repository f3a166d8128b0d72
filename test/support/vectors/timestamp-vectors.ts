import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { alterAt, placesIn } from '../alterations.ts';
import { sampleStamped, sampleStampedAlone, sampleText } from '../sample-bundle.ts';
import type { Random } from '../seed.ts';
import type { VectorInput, VectorOptions } from './vector.ts';
import {
  careful,
  type Draft,
  leafOf,
  origin,
  relog,
  resealed,
  sealed,
  sha256,
} from './vector-bases.ts';

const whole = sampleText(sampleStamped);
const alone = sampleText(sampleStampedAlone);
const draft = JSON.parse(whole);
const { checkpointText, token } = draft.timestamp;
const der = Buffer.from(token, 'base64');
const foreign = JSON.parse(alone).timestamp;

/** Bundles of version 5: tokens, stamped checkpoints and their times, genuine and not. */
export function timestampVectors(random: Random): VectorInput[] {
  return [
    ...genuine(),
    ...checkpoints(),
    ...tokens(),
    ...statements(),
    ...times(),
    ...altered(random),
  ];
}

function vector(
  about: string,
  change: (timestamp: Draft, draft: Draft) => void,
  { options = careful, text = whole }: { options?: VectorOptions; text?: string } = {},
): VectorInput {
  return {
    id: `timestamp: ${about}`,
    about: `Version 5: ${about}; the checksum is right.`,
    bundle: resealed(text, (one) => change(one.timestamp, one)),
    options,
  };
}

const same = () => {};

function genuine(): VectorInput[] {
  const { validatorListKeys: _, ...noPublisher } = careful;
  return [
    vector('genuine', same),
    vector('genuine, of a reader who names no publisher', same, { options: noPublisher }),
    vector('genuine, of a reader who names nothing', same, { options: {} }),
    vector('without signatures of validators', same, { text: alone }),
    vector('without signatures of validators, of a reader who names nothing', same, {
      ...{ text: alone, options: {} },
    }),
    vector('the attestation is removed', (_, one) => {
      one.attestation = null;
    }),
    vector('the attestation is missing', (_, one) => {
      delete one.attestation;
    }),
    vector('too few validators have signed', (_, one) => {
      one.attestation.validations = one.attestation.validations.slice(0, 3);
    }),
    vector('no validator has signed', (_, one) => {
      one.attestation.validations = [];
    }),
    vector('the timestamp is null', (_, one) => {
      one.timestamp = null;
    }),
    vector('the timestamp is missing', (_, one) => {
      delete one.timestamp;
    }),
    ...[1, 2, 3, 4, 6].map((version) =>
      vector(`stated as version ${version}`, (_, one) => {
        one.version = version;
      }),
    ),
    vector('version 4 with the attestation null', (_, one) => {
      one.version = 4;
      one.attestation = null;
      delete one.timestamp;
    }),
  ];
}

/** Puts another text in place of the stamped one, with a token of it. */
function stamp(timestamp: Draft, text: string): void {
  timestamp.checkpointText = text;
  timestamp.token = tokenOf({ imprint: sha256(text) }).toString('base64');
}

/** Writes the log entry anew, and stamps a tree of two entries with it. */
function restamp(timestamp: Draft, draft: Draft, time: string): void {
  relog(draft);
  const other = sha256('leaf 0');
  const root = rootOf([other, leafOf(draft.log.event)]).toString('base64');
  timestamp.checkpointText = `${origin}\n2\n${root}\n`;
  timestamp.hashes = [other.toString('hex')];
  const imprint = sha256(timestamp.checkpointText);
  timestamp.token = tokenOf({ imprint, time }).toString('base64');
}

function checkpoints(): VectorInput[] {
  const text = (about: string, change: (text: string) => string) =>
    vector(`the stamped checkpoint ${about}`, (one) => stamp(one, change(checkpointText)));
  const hashes = (about: string, change: (hashes: string[]) => string[]) =>
    vector(`the stamped path ${about}`, (one) => {
      one.hashes = change(one.hashes);
    });
  const inTree = (index: number, size: number) =>
    vector(`leaf ${index} of ${size} stamped`, (one, { log }) => {
      const leaves = Array.from({ length: size }, (_, n) => sha256(`leaf ${n}`));
      leaves[index] = leafOf(log.event);
      one.hashes = leaves.slice(0, index).map((leaf) => leaf.toString('hex'));
      stamp(one, `${origin}\n${size}\n${rootOf(leaves).toString('base64')}\n`);
    });
  return [
    text('has another size', (was) => was.replace('\n5\n', '\n6\n')),
    text('has size 0', (was) => was.replace('\n5\n', '\n0\n')),
    text('has a size with a zero in front', (was) => was.replace('\n5\n', '\n05\n')),
    text('has a size of 16 digits', (was) => was.replace('\n5\n', '\n1000000000000000\n')),
    text('ends before the leaf', (was) => was.replace('\n5\n', '\n1\n')),
    text('is of an unknown log', (was) => was.replace(origin, 'other.example/log')),
    text('is of a later epoch', (was) => was.replace(origin, `${origin}/2`)),
    text('has a log name with a space', (was) => was.replace(origin, 'other log')),
    text('has a log name with a plus sign', (was) => was.replace(origin, 'other+log')),
    text('has a log name with a no-break space', (was) => was.replace(origin, 'other\u00a0log')),
    text('has a log name beyond ASCII', (was) => was.replace(origin, 'öther')),
    text('has a log name with a control character', (was) => was.replace(origin, 'a\u001cb')),
    text('has no log name', (was) => was.replace(origin, '')),
    text('has a fourth line', (was) => `${was}more\n`),
    text('lacks its last newline', (was) => was.slice(0, -1)),
    text('has carriage returns', (was) => was.replaceAll('\n', '\r\n')),
    text('is a signed note', () => draft.log.checkpoint),
    text('is the checkpoint of the log entry', () => `${draft.log.checkpoint.split('\n\n')[0]}\n`),
    text('has a root that is not canonical', (was) => was.replace(/.=\n$/, 'B=\n')),
    text('is another one with a token of its own', () => foreign.checkpointText),
    vector('another checkpoint under the same token', (one) => {
      one.checkpointText = checkpointText.replace('\n5\n', '\n6\n');
    }),
    hashes('is empty', () => []),
    hashes('lacks its last hash', (list) => list.slice(0, -1)),
    hashes('has a hash too many', (list) => [...list, 'ab'.repeat(32)]),
    hashes('is in another order', (list) => list.toReversed()),
    hashes('has 65 hashes', () => Array.from({ length: 65 }, () => 'ab'.repeat(32))),
    hashes('is that of the log entry', () => draft.log.hashes),
    inTree(0, 1),
    inTree(1, 2),
    vector('the log entry is of another proof', (_, one) => {
      one.log.event.stream = 'proof-01M7XT7V10RJ1CFD26ZBSKQXP7';
    }),
    vector('the log entry has another hash of metadata', (_, one) => {
      one.log.event.metaHash = '0'.repeat(64);
    }),
    vector('the log entry is of another ledger', (_, one) => {
      one.log.ledgerId = 'testnet';
    }),
  ];
}

const put = (about: string, bytes: Uint8Array) =>
  vector(`the token ${about}`, (one) => {
    one.token = Buffer.from(bytes).toString('base64');
  });

function tokens(): VectorInput[] {
  const content = der.subarray(4);
  const replaced = (about: string, from: string, to: string) =>
    put(about, Buffer.from(der.toString('hex').replace(from, to), 'hex'));
  return [
    put('is of another checkpoint', Buffer.from(foreign.token, 'base64')),
    put('is empty', Buffer.of()),
    put('is one byte', Buffer.of(0x30)),
    put('is an empty sequence', Buffer.of(0x30, 0)),
    put('is a null', Buffer.of(5, 0)),
    put('lacks its last byte', der.subarray(0, -1)),
    put('is followed by a byte', Buffer.concat([der, Buffer.of(0)])),
    put('is followed by a null', Buffer.concat([der, Buffer.of(5, 0)])),
    put('is there twice', Buffer.concat([der, der])),
    put(
      'has an indefinite length',
      Buffer.concat([Buffer.of(0x30, 0x80), content, Buffer.of(0, 0)]),
    ),
    put(
      'has a length with a zero in front',
      Buffer.concat([Buffer.of(0x30, 0x83, 0), der.subarray(2, 4), content]),
    ),
    put('has a long form of a short length', Buffer.of(0x30, 0x81, 1, 0)),
    put('has a length of 127 bytes', Buffer.concat([Buffer.of(0x30, 0xff), Buffer.alloc(127, 1)])),
    put('has a length beyond its end', Buffer.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff)),
    put('has a tag of several bytes', Buffer.of(0x3f, 0x81, 0, 0)),
    put('has 40 levels', nested(40)),
    put('has 32,769 bytes', Buffer.alloc(32_769, 0x30)),
    put('has 32,768 bytes of sequences', Buffer.alloc(32_768, 0x30)),
    put('is too large for a bundle', Buffer.alloc(32_772)),
    replaced('is enveloped data', '2a864886f70d010702', '2a864886f70d010703'),
    replaced('signs other data than a time', '2a864886f70d0109100104', '2a864886f70d0109100105'),
    replaced('has another imprint', sha256(checkpointText).toString('hex'), 'ab'.repeat(32)),
    put(
      'has one bit of its signature changed',
      Buffer.concat([der.subarray(0, -1), Buffer.of((der.at(-1) ?? 0) ^ 1)]),
    ),
    vector('the token has no canonical base64', (one) => {
      one.token = 'MAB=';
    }),
    vector('the token has a newline', (one) => {
      one.token = `${token}\n`;
    }),
  ];
}

function statements(): VectorInput[] {
  const made = (about: string, parts: Partial<Parts>) => put(about, tokenOf(parts));
  return [
    made('is made for these vectors', {}),
    made('has an imprint of SHA-384', { algorithm: '608648016503040202' }),
    made('has an imprint of 31 bytes', { imprint: sha256(checkpointText).subarray(1) }),
    made('has an imprint of 33 bytes', {
      imprint: Buffer.concat([sha256(checkpointText), Buffer.of(0)]),
    }),
    made('has an empty imprint', { imprint: Buffer.of() }),
    made('has version 2', { version: 2 }),
    made('has another tag than a version of the signed data', { tags: { signedVersion: 0x0a } }),
    made('has a sequence for the set of digest algorithms', { tags: { algorithms: 0x30 } }),
    made('has a text for the policy', { tags: { policy: 0x0c } }),
    made('has a boolean for the serial number', { tags: { serial: 0x01 } }),
    made('has a set for the algorithm', { tags: { algorithm: 0x31 } }),
    made('has octets for the object identifier of the content', { tags: { contentType: 0x04 } }),
    made('has another tag than zero around the signed data', { tags: { signed: 0xa1 } }),
    made('has another tag than zero around the content', { tags: { content: 0xa1 } }),
    made('has a UTCTime', { tags: { time: 0x17 } }),
    made('has 32 levels', { extra: nested(31) }),
    made('has 33 levels', { extra: nested(32) }),
    made('is followed by a byte within its content', { after: Buffer.of(0) }),
    made('is followed by a statement within its content', { after: Buffer.of(0x30, 0) }),
  ];
}

function times(): VectorInput[] {
  const at = (about: string, time: string, standalone = false) =>
    vector(`the time ${about}`, (one, bundle) => {
      one.token = tokenOf({ time }).toString('base64');
      bundle.anchor.standalone = standalone;
    });
  return [
    at('is five minutes before the close', '20261120225833Z'),
    at('is five minutes and a second before the close', '20261120225832Z'),
    at('is just under five minutes and a second before the close', '20261120225832.999Z'),
    at('is a year before the close', '20251120230333Z'),
    at('is a year before the close of a standalone ledger', '20251120230333Z', true),
    at('is a year after the close', '20271120230333Z'),
    at('has a fraction', '20261121000000.5Z'),
    at('has a fraction that ends in zero', '20261121000000.50Z'),
    at('has an empty fraction', '20261121000000.Z'),
    at('has a comma', '20261121000000,5Z'),
    at('has an offset', '20261121000000+0100'),
    at('has no zone', '20261121000000'),
    at('has no seconds', '202611210000Z'),
    at('has a second of 60', '20261121000060Z'),
    at('has an hour of 24', '20261121240000Z'),
    at('is in a month 13', '20261321000000Z'),
    at('is on a day that does not exist', '20270229000000Z'),
    at('is on a leap day', '20280229000000Z'),
    at('is followed by a newline', '20261121000000Z\n'),
    vector('only the text of the close time is a year later', (stamped, one) => {
      one.anchor.closeTimeIso = one.anchor.closeTimeIso.replace('2026', '2027');
      restamp(stamped, one, '20261123181117Z');
    }),
    vector('the text of the close time and the token are a year earlier', (stamped, one) => {
      one.anchor.closeTimeIso = one.anchor.closeTimeIso.replace('2026', '2025');
      restamp(stamped, one, '20251123181117Z');
    }),
    vector('the close time is a day later', (_, one) => {
      one.anchor.closeTime += 400_000;
      relog(one);
    }),
  ];
}

function altered(random: Random): VectorInput[] {
  const places = [['timestamp'], ...placesIn(draft)].filter(([first]) => first === 'timestamp');
  return places.flatMap((place, n) => {
    const changed = alterAt(draft, place, random);
    if (changed === null) return [];
    const path = place.join('.');
    return {
      id: `altered: version 5, ${path} (${n})`,
      about: `The value ${path} is altered or missing; the checksum is right.`,
      bundle: sealed(changed),
      options: careful,
    };
  });
}

interface Parts {
  readonly algorithm: string;
  readonly imprint: Uint8Array;
  readonly version: number;
  readonly time: string;
  /** Tags in place of the right ones. */
  readonly tags: Readonly<Record<string, number>>;
  /** An element after the time. */
  readonly extra: Uint8Array;
  /** Bytes after the statement. */
  readonly after: Uint8Array;
}

/** A token without a signature. */
function tokenOf(parts: Partial<Parts>): Buffer {
  const { algorithm = '608648016503040201', imprint = sha256(checkpointText) } = parts;
  const { version = 1, time = '20261123181117Z', extra = '', after = '', tags = {} } = parts;
  const tag = (name: string, right: number) => tags[name] ?? right;
  const stated = element(
    0x30,
    element(2, Buffer.of(version)),
    element(tag('policy', 6), Buffer.of(0x2a, 3)),
    element(0x30, element(tag('algorithm', 0x30), oid(algorithm)), element(4, imprint)),
    element(tag('serial', 2), Buffer.of(1)),
    element(tag('time', 0x18), Buffer.from(time)),
    Buffer.from(extra),
  );
  const content = element(tag('content', 0xa0), element(4, stated, Buffer.from(after)));
  const signed = element(
    0x30,
    ...[element(tag('signedVersion', 2), Buffer.of(3)), element(tag('algorithms', 0x31))],
    element(
      0x30,
      element(tag('contentType', 6), Buffer.from('2a864886f70d0109100104', 'hex')),
      content,
    ),
    element(0x31),
  );
  return element(0x30, oid('2a864886f70d010702'), element(tag('signed', 0xa0), signed));
}

const oid = (hex: string) => element(6, Buffer.from(hex, 'hex'));

/** An element in DER. */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function nested(levels: number): Buffer {
  let bytes: Buffer = Buffer.of();
  for (let level = 0; level < levels; level += 1) bytes = element(0x30, bytes);
  return bytes;
}
