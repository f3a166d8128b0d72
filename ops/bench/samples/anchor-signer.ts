import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { encode } from 'ripple-binary-codec';
import { deriveAddress } from 'ripple-keypairs';
import { closeTimeIso } from '../../../src/domain/ledger/close-time.ts';
import type { Anchored, AnchorPrepared } from '../../../src/domain/proof/events.ts';
import { proofMemo } from '../../../src/domain/proof/memo.ts';
import { anchorEvents, ledgerId } from './anchor-events.ts';

const feeDrops = 10;
/** Replaced by the Sequence in the metadata of each transaction. */
const placeholder = 0x0102_0304;

/** Signs transactions of one account, and makes the metadata and the header of a ledger for each. */
export class AnchorSigner {
  readonly account: string;
  readonly #key: KeyObject;
  readonly #publicKey: string;
  readonly #metadata: string;
  #sequence = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#publicKey = `ED${Buffer.from(x, 'base64url').toString('hex').toUpperCase()}`;
    this.account = deriveAddress(this.#publicKey);
    this.#metadata = metadataOf(this.account);
  }

  /** Valid data of both events of a proof with this commitment, in a ledger of its own. */
  anchor(commitment: string): {
    readonly prepared: AnchorPrepared['data'];
    readonly anchored: Anchored['data'];
  } {
    this.#sequence += 1;
    const sequence = this.#sequence;
    const ledgerIndex = 1_000_000 + sequence;
    const blob = this.#sign(commitment, sequence, ledgerIndex + 8);
    const transactionHash = halfHash(`54584E00${blob}`);
    const closeTime = 800_000_000 + sequence;
    const ledgerHeader = `${hex(ledgerIndex)}${'0'.repeat(216)}${hex(closeTime)}0A00`;
    const metadata = this.#metadata
      .replace(`24${hex(placeholder)}`, `24${hex(sequence)}`)
      .replace(`24${hex(placeholder + 1)}`, `24${hex(sequence + 1)}`);
    const { prepared, anchored } = anchorEvents(transactionHash, ledgerIndex);
    const range = { minLedger: ledgerIndex - 2, lastLedgerSequence: ledgerIndex + 8 };
    const place = { ledgerId, transactionHash, ledgerIndex, transactionIndex: 0, metadata };
    return {
      prepared: {
        ...(prepared.data as AnchorPrepared['data']),
        ...{ account: this.account, sequence, feeDrops, blob, ...range },
      },
      anchored: {
        ...(anchored.data as Anchored['data']),
        ...{ ...place, ledgerHash: halfHash(`4C575200${ledgerHeader}`), ledgerHeader },
        ...{ closeTime, closeTimeIso: closeTimeIso(closeTime) },
      },
    };
  }

  #sign(commitment: string, sequence: number, lastLedgerSequence: number): string {
    const { type, data, format } = proofMemo({
      ...{ fileHash: commitment, hashScheme: 'hmac-sha256-nonce-v3', previous: null },
    });
    const text = (value: string) => Buffer.from(value).toString('hex').toUpperCase();
    const Memo = { MemoType: text(type), MemoData: text(data), MemoFormat: text(format) };
    const fields = {
      ...{ TransactionType: 'AccountSet', Account: this.account, Fee: String(feeDrops) },
      ...{ Sequence: sequence, LastLedgerSequence: lastLedgerSequence, Memos: [{ Memo }] },
    };
    const unsigned = encode({ ...fields, SigningPubKey: this.#publicKey });
    const signature = sign(null, Buffer.from(`53545800${unsigned}`, 'hex'), this.#key);
    const at = unsigned.indexOf(this.#publicKey) + this.#publicKey.length;
    const signed = `7440${signature.toString('hex').toUpperCase()}`;
    return `${unsigned.slice(0, at)}${signed}${unsigned.slice(at)}`;
  }
}

function metadataOf(account: string): string {
  const hash32 = 'A1'.repeat(32);
  const FinalFields = {
    ...{ Account: account, Balance: '99999990', Flags: 0, OwnerCount: 0 },
    Sequence: placeholder + 1,
  };
  const PreviousFields = { Balance: '100000000', Sequence: placeholder };
  const ModifiedNode = {
    ...{ LedgerEntryType: 'AccountRoot', LedgerIndex: hash32, FinalFields, PreviousFields },
    ...{ PreviousTxnID: hash32, PreviousTxnLgrSeq: 1 },
  };
  return encode({
    ...{ AffectedNodes: [{ ModifiedNode }], TransactionIndex: 0, TransactionResult: 'tesSUCCESS' },
  });
}

/** First half of the SHA-512 of bytes in hex, in upper-case hex. */
function halfHash(bytes: string): string {
  return hash('sha512', Buffer.from(bytes, 'hex'), 'hex').slice(0, 64).toUpperCase();
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}
