import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { encodeBase64 } from '../../src/verifier/evidence/base64.ts';
import { type LedgerHeader, readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { type Manifest, readManifest } from '../../src/verifier/evidence/manifest.ts';
import { readValidation, type Validation } from '../../src/verifier/evidence/validation.ts';
import type { PublishedList } from '../../src/verifier/evidence/validator-list.ts';

/** A key pair of the ledger, made from a name, so that it is the same at every call. */
export interface SyntheticKey {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

export function syntheticKey(type: 'ed25519' | 'secp256k1', name: string): SyntheticKey {
  const secret = sha256(utf8(name));
  if (type === 'ed25519') {
    return {
      publicKey: concatBytes(Uint8Array.of(0xed), ed25519.getPublicKey(secret)),
      sign: (message) => ed25519.sign(message, secret),
    };
  }
  return {
    publicKey: secp256k1.getPublicKey(secret, true),
    sign: (message) => {
      const hash = sha512(message).subarray(0, 32);
      return secp256k1.sign(hash, secret, { prehash: false, format: 'der' });
    },
  };
}

/** A master key with its present signing key. */
export interface SyntheticSigner {
  readonly master: SyntheticKey;
  readonly signing: SyntheticKey;
  readonly manifest: Uint8Array;
}

export function syntheticSigner(name: string, sequence = 1): SyntheticSigner {
  const master = syntheticKey('ed25519', `${name} master`);
  const signing = syntheticKey('secp256k1', `${name} signing ${sequence}`);
  return { master, signing, manifest: writeManifest(master, signing, sequence) };
}

/** A manifest, or a revocation if there is no signing key. */
export function writeManifest(
  master: SyntheticKey,
  signing: SyntheticKey | null,
  sequence: number,
): Uint8Array {
  const head = hexToBytes(`24${uint(sequence, 4)}7121${bytesToHex(master.publicKey)}`);
  const key = signing ? hexToBytes(`7321${bytesToHex(signing.publicKey)}`) : new Uint8Array();
  const signed = concatBytes(utf8('MAN\0'), head, key);
  const signature = signing ? blob('76', signing.sign(signed)) : new Uint8Array();
  return concatBytes(head, key, signature, blob('7012', master.sign(signed)));
}

export interface ListOptions {
  readonly sequence?: number;
  readonly effective?: number;
  readonly expiration?: number;
}

/** Far in the future: the year 2040. */
const defaultExpiration = 40 * 365 * 86_400;

/** A network of `size` validators with a publisher of lists. */
export function syntheticNetwork(size: number, name = 'network') {
  const publisher = syntheticSigner(`${name} publisher`);
  const validators = Array.from({ length: size }, (_, place) => {
    return syntheticSigner(`${name} validator ${place}`);
  });
  return {
    publisher,
    publisherKey: bytesToHex(publisher.master.publicKey).toUpperCase(),
    validators,
    list: (options?: ListOptions) => writeList(publisher, validators, options),
    validations: (ledger: Pick<LedgerHeader, 'index' | 'hash'>, count = size): Validation[] =>
      validators.slice(0, count).map(({ signing }) => writeValidation(signing, ledger)),
  };
}

export type SyntheticNetwork = ReturnType<typeof syntheticNetwork>;

/** The list that the publisher signs, in version 1. */
export function writeList(
  publisher: SyntheticSigner,
  validators: readonly SyntheticSigner[],
  { sequence = 1, effective, expiration = defaultExpiration }: ListOptions = {},
): PublishedList & {
  readonly manifest: string;
  readonly blob: string;
  readonly signature: string;
} {
  const content = {
    sequence,
    ...(effective !== undefined && { effective }),
    expiration,
    validators: validators.map(({ master, manifest }) => ({
      validation_public_key: bytesToHex(master.publicKey).toUpperCase(),
      manifest: encodeBase64(manifest),
    })),
  };
  const bytes = utf8(JSON.stringify(content));
  return {
    public_key: bytesToHex(publisher.master.publicKey).toUpperCase(),
    manifest: encodeBase64(publisher.manifest),
    blob: encodeBase64(bytes),
    signature: bytesToHex(publisher.signing.sign(bytes)).toUpperCase(),
    version: 1,
  };
}

/** A validation of a ledger, full unless said otherwise. */
export function writeValidation(...args: Parameters<typeof validationBytes>): Validation {
  return readValidation(validationBytes(...args));
}

/** A signed validation as bytes, which may have fields that no reader accepts. */
export function validationBytes(
  signing: SyntheticKey,
  { index, hash }: Pick<LedgerHeader, 'index' | 'hash'>,
  {
    flags = 0x8000_0001,
    amendments = 0,
    amounts = '',
    last = '',
  }: {
    readonly flags?: number;
    /** Number of amendments that it votes for, as before a flag ledger. */
    readonly amendments?: number;
    /** Fields of type 6, in hex. */
    readonly amounts?: string;
    /** Fields after the signature, in hex. */
    readonly last?: string;
  } = {},
): Uint8Array {
  const head = hexToBytes(
    [
      ...[`22${uint(flags, 4)}`, `26${uint(index, 4)}`, `29${uint(848_531_013, 4)}`],
      ...[`3A${'1F'.repeat(8)}`, `51${hash}`, `5017${'A1'.repeat(32)}`, `5019${'B2'.repeat(32)}`],
      `${amounts}7321${bytesToHex(signing.publicKey)}`,
    ].join(''),
  );
  const votes = amendments === 0 ? hexToBytes(last) : hashes('0313', amendments);
  const signature = signing.sign(concatBytes(utf8('VAL\0'), head, votes));
  return concatBytes(head, blob('76', signature), votes);
}

export interface SyntheticHeader {
  readonly index: number;
  readonly parentHash?: string;
  readonly transactionRoot?: string;
  readonly closeTime: number;
}

export function writeHeader({
  index,
  parentHash = 'b3'.repeat(32),
  transactionRoot = '00'.repeat(32),
  closeTime,
}: SyntheticHeader): LedgerHeader {
  const hex = [
    ...[uint(index, 4), uint(99_986_000_000_000_000, 8), parentHash, transactionRoot],
    ...['d5'.repeat(32), uint(closeTime - 4, 4), uint(closeTime, 4), '0a', '00'],
  ].join('');
  return readHeader(hexToBytes(hex));
}

/** Headers of ledgers without transactions that follow a ledger, 4 s apart. */
export function laterHeaders(first: LedgerHeader, count: number): LedgerHeader[] {
  const headers: LedgerHeader[] = [];
  for (let last = first; headers.length < count; last = headers.at(-1) ?? last) {
    const { index, hash: parentHash, closeTime } = last;
    headers.push(writeHeader({ index: index + 1, parentHash, closeTime: closeTime + 4 }));
  }
  return headers;
}

export function manifestOf({ manifest }: SyntheticSigner): Manifest {
  return readManifest(manifest);
}

function blob(header: string, value: Uint8Array): Uint8Array {
  return concatBytes(hexToBytes(header), Uint8Array.of(value.length), value);
}

/** A field of hashes, whose length takes two bytes: 7 to 390 of them. */
function hashes(header: string, count: number): Uint8Array {
  const rest = 32 * count - 193;
  const length = Uint8Array.of(193 + (rest >> 8), rest & 255);
  return concatBytes(hexToBytes(header), length, new Uint8Array(32 * count).fill(0xc4));
}

function uint(value: number, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, '0');
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
