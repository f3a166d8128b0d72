import { createHash } from 'node:crypto';
import { ECDSA, Wallet } from 'xrpl';
import { smallOrderKeys, smallOrderSignature, torsionSignature } from '../odd-signatures.ts';
import { sampleText, sampleWallet } from '../sample-bundle.ts';
import type { VectorInput } from './vector.ts';
import { careful, type Draft, relog, resealed } from './vector-bases.ts';

const logged = sampleText();
const signer = Wallet.fromEntropy(Buffer.alloc(16, 3), { algorithm: ECDSA.secp256k1 });
const withSecp256k1 = sampleText({ signer });
const orderOfSecp256k1 = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const orderOfEd25519 = 2n ** 252n + 27742317777372353535851937790883648493n;
const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();

/** Transactions that are signed but are no anchoring, and transactions whose signature was touched. */
export function transactionVectors(): VectorInput[] {
  return [...otherTransactions(), ...otherBytes(), ...otherSignatures()];
}

function otherTransactions(): VectorInput[] {
  const [memo] = [JSON.parse(logged).evidence.memo];
  const own = {
    MemoType: hex(memo.type),
    MemoFormat: hex(memo.format),
    MemoData: hex(memo.data),
  };
  const of = (about: string, transaction: Record<string, unknown>) => ({
    id: `transaction: ${about}`,
    about: `The transaction, rightly signed, ${about}.`,
    bundle: sampleText({ transaction }),
    options: careful,
  });
  return [
    of('has the field Flags, which is 0', { Flags: 0 }),
    of('sets a flag', { SetFlag: 5 }),
    of('clears a flag', { ClearFlag: 5 }),
    of('sets the domain', { Domain: '6578616D706C65' }),
    of('sets a source tag', { SourceTag: 7 }),
    of('names a network', { NetworkID: 1_025 }),
    of('uses a ticket', { TicketSequence: 9, Sequence: 0 }),
    of('names the last transaction of the account', { AccountTxnID: 'AB'.repeat(32) }),
    of('has two memos', { Memos: [{ Memo: own }, { Memo: own }] }),
    of('has no memo', { Memos: undefined }),
    of('has a memo without a format', { Memos: [{ Memo: { ...own, MemoFormat: undefined } }] }),
    of('has a memo of another type', { Memos: [{ Memo: { ...own, MemoType: hex('other') } }] }),
    of('has a memo with other data', { Memos: [{ Memo: { ...own, MemoData: hex('{}') } }] }),
    of('has a memo with a space after it', {
      Memos: [{ Memo: { ...own, MemoData: hex(`${memo.data} `) } }],
    }),
    of('could enter the ledger just so', { LastLedgerSequence: 90_000_123 }),
    of('could not enter the ledger any more', { LastLedgerSequence: 90_000_122 }),
    of('has no last ledger', { LastLedgerSequence: undefined }),
    of('has another Sequence than the metadata', { Sequence: 8 }),
    of('has a fee of zero', { Fee: '0' }),
    of('is of another account', { Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' }),
    of('is a payment', {
      TransactionType: 'Payment',
      Destination: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      Amount: '1',
    }),
    of('sets a regular key', {
      TransactionType: 'SetRegularKey',
      RegularKey: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    }),
  ];
}

/** Bundles with another blob; its hash, the addresses, the log entry and the checksum are right. */
function withBlob(text: string, change: (blob: string) => string): string {
  return resealed(text, (draft: Draft) => {
    const blob = change(draft.evidence.blob);
    const bytes = Buffer.concat([Buffer.from('TXN\0'), Buffer.from(blob, 'hex')]);
    const hash = createHash('sha512').update(bytes).digest('hex').slice(0, 64).toUpperCase();
    const all = JSON.stringify({ anchor: draft.anchor, addresses: draft.addresses });
    Object.assign(draft, JSON.parse(all.replaceAll(draft.anchor.transactionHash, hash)));
    draft.evidence.blob = blob;
    relog(draft);
  });
}

function otherBytes(): VectorInput[] {
  const of = (about: string, change: (blob: string) => string) => ({
    id: `blob: ${about}`,
    about: `The bytes of the transaction ${about}; all hashes of it are right.`,
    bundle: withBlob(logged, change),
    options: careful,
  });
  return [
    of('end too early', (blob) => blob.slice(0, -2)),
    of('go on after the end', (blob) => `${blob}00`),
    of('are one byte', () => '12'),
    of('are zeros', () => '00'.repeat(200)),
    of('have no signature', (blob) => blob.replace(/7440[0-9A-F]{128}/, '')),
    of('have an empty signature', (blob) => blob.replace(/7440[0-9A-F]{128}/, '7400')),
    of('have two signatures', (blob) => blob.replace(/(7440[0-9A-F]{128})/, '$1$1')),
    of('have fields in another order', (blob) => blob.replace(/(24.{8})(201B.{8})/, '$2$1')),
    of('have an inner object without an end', (blob) => blob.replace(/E1F1$/, 'F1')),
    of('have a list without an end', (blob) => blob.replace(/F1$/, '')),
    of('have an empty key', (blob) => blob.replace(/7321[0-9A-F]{66}/, '7300')),
    of('have a key of another kind', (blob) => blob.replace('7321ED', '732104')),
    of('have a negative fee', (blob) => blob.replace('6840', '6800')),
    of('have a fee in another currency', (blob) => blob.replace('6840', '6880')),
    of('are nested deeply', () => `1200${'F9EA'.repeat(1_000)}`),
  ];
}

/** A DER signature of these two numbers. */
function der(...values: readonly (bigint | Buffer)[]): string {
  const parts = values.map((value) => {
    if (Buffer.isBuffer(value)) return Buffer.concat([Buffer.of(2, value.length), value]);
    const digits = value.toString(16);
    const even = digits.length % 2 === 0 ? digits : `0${digits}`;
    const bytes = Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex');
    return Buffer.concat([Buffer.of(2, bytes.length), bytes]);
  });
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, body.length), body])
    .toString('hex')
    .toUpperCase();
}

/** The transaction with another signature of Ed25519 over its other bytes. */
function signedWith(blob: string, sign: (message: Buffer) => Buffer): string {
  const unsigned = blob.replace(/7440[0-9A-F]{128}/, '');
  const message = Buffer.concat([Buffer.from('STX\0'), Buffer.from(unsigned, 'hex')]);
  const made = sign(message).toString('hex').toUpperCase();
  return blob.replace(/(?<=7440)[0-9A-F]{128}/, made);
}

function otherSignatures(): VectorInput[] {
  const vector = (about: string, bundle: string) => ({
    id: `signature: ${about}`,
    about: `The signature of the transaction ${about}; all hashes are right.`,
    ...{ bundle, options: careful },
  });
  const found = /74(4[4-9])30..02(..)/.exec(JSON.parse(withSecp256k1).evidence.blob);
  const length = 2 * Number.parseInt(found?.[1] ?? '', 16);
  const curve = (about: string, change: (r: bigint, s: bigint, own: string) => string) =>
    vector(
      `of secp256k1 ${about}`,
      withBlob(withSecp256k1, (blob) => {
        const at = blob.indexOf(found?.[0] ?? '?') + 4;
        const own = blob.slice(at, at + length);
        const rLength = 2 * Number.parseInt(own.slice(6, 8), 16);
        const r = BigInt(`0x${own.slice(8, 8 + rLength)}`);
        const s = BigInt(`0x${own.slice(8 + rLength + 4)}`);
        const made = change(r, s, own);
        const size = (made.length / 2).toString(16).padStart(2, '0').toUpperCase();
        return `${blob.slice(0, at - 2)}${size}${made}${blob.slice(at + length)}`;
      }),
    );
  const edwards = (about: string, change: (signature: Buffer) => Buffer) =>
    vector(
      `of Ed25519 ${about}`,
      withBlob(logged, (blob) =>
        blob.replace(/(?<=7440)[0-9A-F]{128}/, (own) =>
          change(Buffer.from(own, 'hex')).toString('hex').toUpperCase(),
        ),
      ),
    );
  const little = (value: bigint) =>
    Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
  const scalar = (bytes: Buffer) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  return [
    curve('is the genuine one', (_r, _s, own) => own),
    curve('has the higher value of S', (r, s) => der(r, orderOfSecp256k1 - s)),
    curve('has another R', (r, s) => der(r + 1n, s)),
    curve('has another S', (r, s) => der(r, s + 1n)),
    curve('has an R of zero', (_r, s) => der(0n, s)),
    curve('has an S of zero', (r) => der(r, 0n)),
    curve('has an R beyond the order', (r, s) => der(r + orderOfSecp256k1, s)),
    curve('has an S beyond the order', (r, s) => der(r, s + orderOfSecp256k1)),
    curve('has a zero too many before R', (r, s) =>
      der(Buffer.concat([Buffer.of(0, 0), bytesOf(r)]), s),
    ),
    curve('has a byte after it', (_r, _s, own) => `${own}00`),
    curve('lacks its last byte', (_r, _s, own) => own.slice(0, -2)),
    curve('has a length in two bytes', (_r, _s, own) => `3081${own.slice(2)}`),
    curve('has a byte inside after S', (_r, _s, own) => {
      const size = (own.length / 2 - 1).toString(16).padStart(2, '0').toUpperCase();
      return `30${size}${own.slice(4)}00`;
    }),
    curve('is not DER', (r, s) =>
      Buffer.concat([bytesOf(r), bytesOf(s)])
        .toString('hex')
        .toUpperCase(),
    ),
    curve('is empty', () => ''),
    edwards('is the genuine one', (own) => own),
    edwards('has another R', (own) => Buffer.concat([own.subarray(32), own.subarray(32)])),
    edwards('has an S beyond the order', (own) =>
      Buffer.concat([own.subarray(0, 32), little(scalar(own.subarray(32)) + orderOfEd25519)]),
    ),
    edwards('is zeros', () => Buffer.alloc(64)),
    edwards('has one bit changed', (own) =>
      Buffer.concat([Buffer.of((own[0] ?? 0) ^ 1), own.subarray(1)]),
    ),
    vector(
      'of Ed25519 holds with the cofactor alone',
      withBlob(logged, (blob) => {
        const secret = Buffer.from(sampleWallet.privateKey.slice(2), 'hex');
        return signedWith(blob, (message) => torsionSignature(secret, message));
      }),
    ),
    ...Object.entries(smallOrderKeys).map(([order, key]) =>
      vector(
        `of Ed25519 is of a key of order ${order}`,
        withBlob(logged, (blob) => {
          const other = `7321ED${key.toString('hex').toUpperCase()}`;
          return signedWith(blob.replace(/7321[0-9A-F]{66}/, other), (message) =>
            smallOrderSignature(key, message),
          );
        }),
      ),
    ),
    vector(
      'is of another key',
      withBlob(logged, (blob) => blob.replace(/7321[0-9A-F]{66}/, `7321${signer.publicKey}`)),
    ),
    vector(
      'is of a key that is no point of the curve',
      withBlob(withSecp256k1, (blob) =>
        blob.replace(/7321[0-9A-F]{66}/, `732102${'FF'.repeat(32)}`),
      ),
    ),
    vector(
      'is of an uncompressed key',
      withBlob(withSecp256k1, (blob) =>
        blob.replace(/7321[0-9A-F]{66}/, `734104${'AB'.repeat(64)}`),
      ),
    ),
    vector(
      'is made for another transaction',
      withBlob(logged, (blob) => {
        const other = JSON.parse(sampleText({ transaction: { Sequence: 8 } })).evidence.blob;
        const [theirs = ''] = /7440[0-9A-F]{128}/.exec(other) ?? [];
        return blob.replace(/7440[0-9A-F]{128}/, theirs);
      }),
    ),
  ];
}
