import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { readHeader } from '../../../src/verifier/evidence/ledger-header.ts';
import { maxChain } from '../../../src/verifier/evidence/limits.ts';
import { sampleAttested, sampleText } from '../sample-bundle.ts';
import {
  laterHeaders,
  syntheticKey,
  syntheticNetwork,
  syntheticSigner,
  validationBytes,
  writeHeader,
  writeList,
  writeManifest,
  writeValidation,
} from '../synthetic-network.ts';
import type { VectorInput, VectorOptions } from './vector.ts';
import { careful, type Draft, resealed } from './vector-bases.ts';

const { network } = sampleAttested;
const text = sampleText({ attested: sampleAttested });
const draft = JSON.parse(text);
const own = readHeader(Buffer.from(draft.evidence.ledgerHeader, 'hex'));
const later = laterHeaders(own, 2);
const signed = later[1] ?? own;
const closed = signed.closeTime;
const base64 = (list: readonly { readonly bytes: Uint8Array }[]) =>
  list.map(({ bytes }) => encodeBase64(bytes));
const all = network.validations(signed);
const four = all.slice(0, 4);
const [first, second] = network.validators as [
  (typeof network.validators)[0],
  (typeof network.validators)[0],
];

function vector(
  about: string,
  change: (attestation: Draft, draft: Draft) => void,
  options: VectorOptions = careful,
): VectorInput {
  return {
    id: `attestation: ${about}`,
    about: `Signatures of validators: ${about}; the checksum is right.`,
    bundle: resealed(text, (one) => change(one.attestation, one)),
    options,
  };
}

const withValidations = (
  about: string,
  validations: readonly string[],
  manifests?: readonly Uint8Array[],
) =>
  vector(about, (attestation) => {
    attestation.validations = validations;
    if (manifests) attestation.manifests = manifests.map(encodeBase64);
  });

/** Paths, chains, lists and validations, genuine and not. */
export function attestationVectors(): VectorInput[] {
  return [...paths(), ...chains(), ...lists(), ...manifests(), ...validations(), ...large()];
}

function flip(base64Text: string, at: number, bits = 1): string {
  const bytes = Buffer.from(base64Text, 'base64');
  const place = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ bits, place);
  return bytes.toString('base64');
}

function paths(): VectorInput[] {
  const path = (about: string, change: (path: Buffer) => Buffer) =>
    vector(`the path ${about}`, (attestation) => {
      attestation.path = change(Buffer.from(attestation.path, 'base64')).toString('base64');
    });
  return [
    path('has one bit changed', (bytes) =>
      Buffer.from(flip(bytes.toString('base64'), 40), 'base64'),
    ),
    path('is empty', () => Buffer.alloc(0)),
    path('is one byte', () => Buffer.of(1)),
    path('lacks its last byte', (bytes) => bytes.subarray(0, -1)),
    path('has a byte after its end', (bytes) => Buffer.concat([bytes, Buffer.of(0)])),
    path('has another level without hashes', (bytes) => Buffer.concat([bytes, Buffer.alloc(2)])),
    path('states the branch of the transaction', (bytes) => {
      const digit = Number.parseInt(draft.anchor.transactionHash[0], 16);
      const mask = bytes.readUInt16BE() | (0x8000 >> digit);
      return Buffer.concat([
        Buffer.of(mask >> 8, mask & 255),
        Buffer.alloc(32, 7),
        bytes.subarray(2),
      ]);
    }),
    path('states a hash of zeros', (bytes) =>
      Buffer.concat([bytes.subarray(0, 2), Buffer.alloc(32), bytes.subarray(34)]),
    ),
    path('has 64 levels', () => Buffer.alloc(128)),
    path('has 65 levels', () => Buffer.alloc(130)),
    vector('the path has no canonical base64', (attestation) => {
      attestation.path = `${attestation.path.slice(0, -2)}${attestation.path.at(-2) === 'Q' ? 'R' : 'B'}=`;
    }),
    vector('the path has a newline', (attestation) => {
      attestation.path = `${attestation.path}\n`;
    }),
    vector('the path is of the URL alphabet', (attestation) => {
      attestation.path = attestation.path.replaceAll('+', '-').replaceAll('/', '_');
    }),
  ];
}

function chains(): VectorInput[] {
  const chain = (about: string, change: (chain: Buffer) => Buffer) =>
    vector(`the chain ${about}`, (attestation) => {
      attestation.chain = change(Buffer.from(attestation.chain, 'base64')).toString('base64');
    });
  const genuine = [0, 1, 12, 256].map((laterLedgers) => ({
    id: `attestation: a chain of ${laterLedgers}`,
    about: `Signatures of validators of a ledger that is ${laterLedgers} ledgers later.`,
    bundle: sampleText({ attested: { network, laterLedgers } }),
    options: careful,
  }));
  const stranger = writeHeader({ index: own.index, closeTime: own.closeTime });
  const foreign = laterHeaders(stranger, 2).at(-1) ?? stranger;
  return [
    ...genuine,
    chain('is missing', () => Buffer.alloc(0)),
    chain('is a link too short', (bytes) => bytes.subarray(78)),
    chain('is a link too long', (bytes) => Buffer.concat([bytes, bytes.subarray(78)])),
    chain('has half a link', (bytes) => bytes.subarray(0, 117)),
    chain('has one bit changed', (bytes) =>
      Buffer.from(flip(bytes.toString('base64'), 100), 'base64'),
    ),
    chain('is in another order', (bytes) =>
      Buffer.concat([bytes.subarray(78), bytes.subarray(0, 78)]),
    ),
    chain('has 8,193 links', () => Buffer.alloc(78 * 8_193)),
    withValidations(
      'of a ledger after another one with the same index',
      base64(network.validations(foreign, 4)),
    ),
    vector('the header is one byte', (_, one) => {
      one.evidence.ledgerHeader = '00';
    }),
    vector('the ledger is the last one possible', (_, one) => {
      one.evidence.ledgerHeader = `FFFFFFFF${one.evidence.ledgerHeader.slice(8)}`;
    }),
  ];
}

/** A list of the sample's publisher with this content. */
function listOf(content: string | Buffer): Draft {
  const bytes = Buffer.from(content);
  return {
    manifest: encodeBase64(network.publisher.manifest),
    blob: bytes.toString('base64'),
    signature: Buffer.from(network.publisher.signing.sign(bytes)).toString('hex').toUpperCase(),
  };
}

function lists(): VectorInput[] {
  const put = (
    about: string,
    { manifest, blob, signature }: Draft,
    options: VectorOptions = careful,
  ) =>
    vector(
      `the list ${about}`,
      (attestation) => {
        attestation.validatorList = { manifest, blob, signature };
      },
      options,
    );
  const content = JSON.parse(Buffer.from(network.list().blob, 'base64').toString());
  const listed = (about: string, change: (list: Draft) => void) => {
    const copy = structuredClone(content);
    change(copy);
    return put(about, listOf(JSON.stringify(copy)));
  };
  const { publisher, validators } = network;
  const genuine = network.list();
  const revoked = {
    ...genuine,
    manifest: encodeBase64(writeManifest(publisher.master, null, 0xffff_ffff)),
  };
  const { publisherKey: _, ...rest } = { publisherKey: 0, ...careful };
  const unnamed: VectorOptions = { ...rest, validatorListKeys: [] };
  const foreign = syntheticNetwork(5, 'foreign');
  const stolen = writeManifest(publisher.master, foreign.publisher.signing, 2);
  const rotated = syntheticSigner('sample publisher', 2);
  return [
    put('expires when the ledger closes', network.list({ expiration: closed })),
    put('expires a second after the ledger closes', network.list({ expiration: closed + 1 })),
    put('expired in the year 2000', network.list({ expiration: 1 })),
    put('is in effect from when the ledger closes', network.list({ effective: closed })),
    put('is in effect a second after the ledger closes', network.list({ effective: closed + 1 })),
    put('has another signature', { ...genuine, blob: network.list({ sequence: 2 }).blob }),
    put('has one bit of its signature changed', {
      ...genuine,
      signature: genuine.signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    }),
    put('has a signature of one byte', { ...genuine, signature: '00' }),
    put('is by another publisher', foreign.list()),
    put('is by another publisher, and no key is named', foreign.list(), unnamed),
    put(
      'is by another publisher with a false signature, and no key is named',
      { ...foreign.list(), signature: '00' },
      unnamed,
    ),
    put('is signed by another publisher', { ...foreign.list(), manifest: genuine.manifest }),
    put('is by a publisher who revoked all keys', revoked),
    put('is by a publisher who revoked all keys, and no key is named', revoked, unnamed),
    put('has a manifest whose master signature is false', {
      ...genuine,
      manifest: flip(genuine.manifest, -1),
    }),
    put('has a manifest whose other signature is false', {
      ...genuine,
      manifest: flip(genuine.manifest, -70),
    }),
    put('has a manifest of one byte', { ...genuine, manifest: 'AA==' }),
    put('has an empty manifest', { ...genuine, manifest: '' }),
    put('is by a publisher with a newer key', writeList(rotated, validators)),
    put('is signed with the older key of a publisher', {
      ...genuine,
      manifest: encodeBase64(rotated.manifest),
    }),
    put('is signed with the key of another publisher that a manifest names', {
      ...foreign.list(),
      manifest: encodeBase64(stolen),
    }),
    put('is no JSON', listOf('no JSON')),
    put('is a JSON list', listOf('[]')),
    put('is null', listOf('null')),
    put('is not UTF-8', listOf(Buffer.of(0x7b, 0xff, 0x7d))),
    put('is empty', listOf('')),
    listed('names no validators', (list) => {
      list.validators = [];
    }),
    listed('has no member validators', (list) => {
      delete list.validators;
    }),
    listed('has an object as validators', (list) => {
      list.validators = {};
    }),
    listed('has no expiration', (list) => {
      delete list.expiration;
    }),
    listed('has a text as expiration', (list) => {
      list.expiration = String(list.expiration);
    }),
    listed('has a fraction as expiration', (list) => {
      list.expiration += 0.5;
    }),
    listed('has a negative effective time', (list) => {
      list.effective = -1;
    }),
    listed('has no sequence', (list) => {
      delete list.sequence;
    }),
    listed('has an additional member', (list) => {
      list.extra = [1, 2, 3];
    }),
    listed('has an additional member of a validator', (list) => {
      list.validators[0].extra = 1;
    }),
    listed('has keys in lower case', (list) => {
      for (const one of list.validators) {
        one.validation_public_key = one.validation_public_key.toLowerCase();
      }
    }),
    listed('has a short key', (list) => {
      list.validators[0].validation_public_key = 'ED00';
    }),
    listed('has a key of no known kind', (list) => {
      list.validators[0].validation_public_key = `04${'AB'.repeat(32)}`;
    }),
    listed('has a null in place of a validator', (list) => {
      list.validators[0] = null;
    }),
    listed('has a number as a manifest', (list) => {
      list.validators[0].manifest = 7;
    }),
    listed('has a manifest that is no base64', (list) => {
      list.validators[0].manifest = '???';
    }),
    listed('has a manifest of one byte for a validator', (list) => {
      list.validators[0].manifest = 'AA==';
    }),
    listed('names a validator twice', (list) => {
      list.validators.push(list.validators[0]);
    }),
    listed("names two validators with each other's manifests", (list) => {
      const [one, two] = list.validators;
      [one.manifest, two.manifest] = [two.manifest, one.manifest];
    }),
    listed('has no manifest of a validator', (list) => {
      delete list.validators[0].manifest;
    }),
    listed('has an empty manifest of a validator', (list) => {
      list.validators[0].manifest = '';
    }),
    listed('names 128 validators', (list) => {
      list.validators = Array.from({ length: 128 }, (_, n) => ({
        validation_public_key: `ED${n.toString(16).padStart(64, '0').toUpperCase()}`,
      }));
    }),
    listed('names 129 validators', (list) => {
      list.validators = Array.from({ length: 129 }, (_, n) => ({
        validation_public_key: `ED${n.toString(16).padStart(64, '0').toUpperCase()}`,
      }));
    }),
    listed('has nested members', (list) => {
      list.extra = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
    }),
    put(
      'has the member validators twice',
      listOf(JSON.stringify(content).replace('{', '{"validators":[],')),
    ),
  ];
}

function manifests(): VectorInput[] {
  const signing = syntheticKey('secp256k1', 'rotated');
  const manifest = writeManifest(first.master, signing, 2);
  const rotatedOne = [...base64([writeValidation(signing, signed)]), ...base64(all.slice(1, 4))];
  const revocation = writeManifest(first.master, null, 0xffff_ffff);
  const falseMaster = writeManifest(syntheticKey('ed25519', 'thief'), signing, 9);
  const withMaster = Buffer.from(falseMaster);
  const keyAt = withMaster.indexOf(Buffer.of(0x71, 0x21)) + 2;
  Buffer.from(first.master.publicKey).copy(withMaster, keyAt);
  const same = syntheticKey('secp256k1', 'the same sequence');
  const edwards = syntheticKey('ed25519', 'edwards signing');
  const masters = network.validators.map((_, n) => syntheticKey('secp256k1', `plain ${n}`));
  const without = JSON.stringify({
    sequence: 1,
    expiration: closed + 9,
    validators: masters.map(({ publicKey }) => ({
      validation_public_key: Buffer.from(publicKey).toString('hex').toUpperCase(),
    })),
  });
  const byMasters = base64(masters.map((key) => writeValidation(key, signed)));
  const ofMaster = (name: string) => {
    const master = masters[0];
    if (master === undefined) throw new Error('there are five');
    return writeManifest(master, syntheticKey('secp256k1', name), 1);
  };
  const oneFalse = Buffer.from(ofMaster('x'));
  oneFalse.writeUInt8(oneFalse.readUInt8(oneFalse.length - 1) ^ 1, oneFalse.length - 1);
  const unlisted = (
    about: string,
    newer: readonly Uint8Array[],
    validations = byMasters.slice(0, 4),
  ) =>
    vector(about, (attestation) => {
      attestation.validatorList = listOf(without);
      attestation.validations = validations;
      attestation.manifests = newer.map(encodeBase64);
    });
  return [
    withValidations('a rotated key, with its manifest', rotatedOne, [manifest]),
    withValidations('a rotated key, without its manifest', rotatedOne),
    withValidations('the replaced key, with the newer manifest', base64(four), [manifest]),
    withValidations('a revoked key', base64(four), [revocation]),
    withValidations('a revoked key, and four others', base64(all.slice(1)), [revocation]),
    withValidations('a newer manifest beside a revocation', rotatedOne, [manifest, revocation]),
    withValidations('a newer manifest whose master signature is false', rotatedOne, [
      Buffer.from(flip(encodeBase64(manifest), -1), 'base64'),
    ]),
    withValidations('a newer manifest whose other signature is false', rotatedOne, [
      Buffer.from(flip(encodeBase64(manifest), -70), 'base64'),
    ]),
    withValidations('the old key, and a newer manifest with a false signature', base64(four), [
      Buffer.from(flip(encodeBase64(manifest), -1), 'base64'),
    ]),
    withValidations(
      'a manifest that names the key of a validator as its master, signed by a thief',
      rotatedOne,
      [withMaster],
    ),
    withValidations('a manifest of an unlisted validator', base64(four), [falseMaster]),
    withValidations('an older manifest beside the newer one, in this order', rotatedOne, [
      manifest,
      first.manifest,
    ]),
    withValidations('two manifests of the same sequence as in the list', base64(four), [
      writeManifest(first.master, same, 1),
    ]),
    withValidations(
      'a manifest of the same sequence as in the list, whose key signed',
      [...base64([writeValidation(same, signed)]), ...base64(all.slice(1, 4))],
      [writeManifest(first.master, same, 1)],
    ),
    withValidations('a newer manifest with an Ed25519 signing key', base64(four), [
      writeManifest(first.master, edwards, 2),
    ]),
    withValidations('a revocation with a signing key', base64(four), [
      writeManifest(first.master, signing, 0xffff_ffff),
    ]),
    withValidations('a revocation with a signing key, four others', base64(all.slice(1)), [
      writeManifest(first.master, signing, 0xffff_ffff),
    ]),
    withValidations('a manifest of one byte', base64(four), [Buffer.of(0)]),
    withValidations('an empty manifest', base64(four), [Buffer.alloc(0)]),
    withValidations('a manifest with a byte after it', base64(four), [
      Buffer.concat([manifest, Buffer.of(0)]),
    ]),
    withValidations(
      'the same manifest 128 times',
      base64(four),
      Array.from({ length: 128 }, () => first.manifest),
    ),
    withValidations(
      '129 manifests',
      base64(four),
      Array.from({ length: 129 }, () => first.manifest),
    ),
    withValidations(
      'another validator claims the signing key of the first',
      base64([all[0] ?? signed, all[2] ?? signed, all[3] ?? signed, all[4] ?? signed] as never),
      [writeManifest(second.master, first.signing, 2)],
    ),
    unlisted('validators without manifests sign with their master keys', []),
    unlisted('validators without manifests, three signed', [], byMasters.slice(0, 3)),
    unlisted('the master key signed, although there is a manifest', [ofMaster('newer')]),
    unlisted('the master key signed, beside a manifest that does not hold', [oneFalse]),
  ];
}

function validations(): VectorInput[] {
  const [one] = all;
  if (one === undefined) throw new Error('there are five');
  const three = base64(all.slice(1, 4));
  const withFirst = (about: string, bytes: Uint8Array) =>
    withValidations(`three of five, and one ${about}`, [encodeBase64(bytes), ...three]);
  const at = (bytes: Uint8Array, change: (copy: Buffer) => void) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const high = () => {
    const bytes = Buffer.from(one.bytes);
    const der = bytes.indexOf(Buffer.of(0x30), bytes.indexOf(Buffer.of(0x73, 0x21)) + 35);
    const r = bytes.subarray(der + 4, der + 4 + bytes.readUInt8(der + 3));
    const sAt = der + 4 + r.length + 2;
    const s = BigInt(`0x${bytes.subarray(sAt).toString('hex')}`);
    const other = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex');
    const sBytes = other.readUInt8(0) > 127 ? Buffer.concat([Buffer.of(0), other]) : other;
    const inner = Buffer.concat([Buffer.of(2, r.length), r, Buffer.of(2, sBytes.length), sBytes]);
    const whole = Buffer.concat([Buffer.of(0x30, inner.length), inner]);
    return Buffer.concat([bytes.subarray(0, der - 1), Buffer.of(whole.length), whole]);
  };
  const edwards = syntheticKey('ed25519', 'edwards signing');
  return [
    withValidations('all five', base64(all)),
    withValidations('four of five, in another order', base64(four.toReversed())),
    withValidations('three of five', base64(all.slice(0, 3))),
    withValidations('none', []),
    withValidations('three of five, one of them twice', base64([one, ...all.slice(0, 3)])),
    withValidations(
      'three of five, one of them with other flags again',
      base64([writeValidation(first.signing, signed, { flags: 0x8000_0003 }), ...all.slice(0, 3)]),
    ),
    withFirst('is partial', writeValidation(first.signing, signed, { flags: 0x8000_0000 }).bytes),
    withFirst('is of the ledger before', writeValidation(first.signing, later[0] ?? own).bytes),
    withFirst(
      'states another index',
      writeValidation(first.signing, { ...signed, index: signed.index + 1 }).bytes,
    ),
    withFirst(
      'states another hash',
      writeValidation(first.signing, { ...signed, hash: 'ab'.repeat(32) }).bytes,
    ),
    withFirst(
      'has votes for amendments after its signature',
      writeValidation(first.signing, signed, { amendments: 20 }).bytes,
    ),
    ...Object.entries({
      'states a fee of 10^17 drops': { amounts: '6016416345785D8A0000' },
      'states a fee of 10^17 drops and one': { amounts: '6016416345785D8A0001' },
      'states a fee of 2^61 - 1 drops': { amounts: '60165FFFFFFFFFFFFFFF' },
      'states a negative fee': { amounts: '60160000000000000001' },
      'states a fee that is no XRP': { amounts: '6016C000000000000001' },
      'has a field of type 10': { last: 'A100000001' },
      'has a field of type 10 with a long code': { last: 'A01000000001' },
      'has a field of type 8': { last: '8100' },
      'has a field of type 8 with a long code': { last: '801400' },
      'has a field of type 9': { last: `91${'00'.repeat(8)}` },
      'has a field of type 17': { last: `0111${'00'.repeat(20)}` },
      'has a field of type 17 with a long code': { last: `001110${'00'.repeat(20)}` },
      'has an object in it': { last: 'E1E1' },
    }).map(([about, fields]) => withFirst(about, validationBytes(first.signing, signed, fields))),
    withFirst(
      'is by a stranger',
      writeValidation(syntheticKey('secp256k1', 'stranger'), signed).bytes,
    ),
    withFirst(
      'has a false signature',
      at(one.bytes, (copy) =>
        copy.writeUInt8(copy.readUInt8(copy.length - 1) ^ 1, copy.length - 1),
      ),
    ),
    withFirst('has the higher value of S', high()),
    withFirst(
      'has another time',
      at(one.bytes, (copy) => copy.writeUInt8(copy.readUInt8(14) ^ 1, 14)),
    ),
    withFirst('lacks its last byte', one.bytes.subarray(0, -1)),
    withFirst('has a byte after it', Buffer.concat([one.bytes, Buffer.of(0)])),
    withFirst('is one byte', Buffer.of(0)),
    withFirst('is empty', new Uint8Array()),
    withFirst('is signed with Ed25519', edwardsValidation(edwards)),
    withFirst('is signed with the master key', edwardsValidation(first.master)),
    withValidations('four of five, and garbage in front', ['AAAA', ...base64(four)]),
    withValidations('four of five, and garbage that is no base64 of bytes', ['', ...base64(four)]),
    withValidations('four of five, and one with a false signature', [
      flip(encodeBase64(all[4]?.bytes ?? one.bytes), -1),
      ...base64(four),
    ]),
    withValidations(
      'four of five, 32 times each',
      Array.from({ length: 32 }, () => base64(four)).flat(),
    ),
    withValidations('129 validations', [
      ...Array.from({ length: 32 }, () => base64(four)).flat(),
      encodeBase64(one.bytes),
    ]),
    withValidations('fields of a validation in another order', [
      encodeBase64(reordered(one.bytes)),
      ...three,
    ]),
  ];
}

function reordered(bytes: Uint8Array): Buffer {
  const whole = Buffer.from(bytes);
  return Buffer.concat([whole.subarray(5, 10), whole.subarray(0, 5), whole.subarray(10)]);
}

/** A validation by an Ed25519 key, which `writeValidation` can make although nobody may. */
function edwardsValidation(key: ReturnType<typeof syntheticKey>): Uint8Array {
  const genuine = Buffer.from(writeValidation(first.signing, signed).bytes);
  const keyAt = genuine.indexOf(Buffer.of(0x73, 0x21));
  const head = Buffer.concat([
    genuine.subarray(0, keyAt),
    Buffer.of(0x73, 0x21),
    Buffer.from(key.publicKey),
  ]);
  const signature = key.sign(Buffer.concat([Buffer.from('VAL\0'), head]));
  return Buffer.concat([head, Buffer.of(0x76, signature.length), Buffer.from(signature)]);
}

/** The largest evidence that the form allows. */
function large(): VectorInput[] {
  const crowd = syntheticNetwork(128, 'large');
  const bundle = sampleText({ attested: { network: crowd, laterLedgers: maxChain } });
  const options = { ...careful, validatorListKeys: [crowd.publisherKey] };
  const short = sampleText({ attested: { network: crowd } });
  return [
    {
      id: 'large: 128 validators, 8,192 ledgers later',
      about: 'The largest genuine bundle: 103 of 128 validators, and the longest chain.',
      ...{ bundle, options },
    },
    {
      id: 'large: a quorum one short',
      about: 'One validation of the 103 that are needed is missing.',
      bundle: resealed(short, (one) => one.attestation.validations.pop()),
      options,
    },
  ];
}
