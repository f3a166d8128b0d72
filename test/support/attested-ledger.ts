import { createHash } from 'node:crypto';
import { hexToBytes } from '@noble/hashes/utils.js';
import { encode } from 'ripple-binary-codec';
import type { AttestationEvent, ListReference } from '../../src/domain/attestation/events.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { closeTimeIso } from '../../src/domain/ledger/close-time.ts';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { handleStreams } from '../../src/event-store/handling/handle.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { transactionLeaves } from '../../src/ledger/transaction-tree.ts';
import { proofEntries } from '../../src/loading/proof-entries.ts';
import { encodeBase64 } from '../../src/verifier/evidence/base64.ts';
import { packChain } from '../../src/verifier/evidence/header-chain.ts';
import type { LedgerHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { type TreeItem, transactionHash } from '../../src/verifier/evidence/transaction-path.ts';
import { sampleWallet } from './sample-bundle.ts';
import {
  laterHeaders,
  type SyntheticNetwork,
  writeHeader,
  type writeList,
} from './synthetic-network.ts';
import { transactionPath } from './transaction-path.ts';

const meta = { actor: 'anchoring' } as const;
const closeTime = 848_531_013;

export interface AnchoredLedger {
  readonly ledgerId: string;
  readonly header: LedgerHeader;
  readonly items: readonly TreeItem[];
  /** Hash, blob and metadata of every transaction, as servers give them. */
  readonly transactions: readonly { hash: string; blob: string; metadata: string }[];
}

interface Place {
  readonly ledgerId: string;
  readonly index: number;
  readonly closeTime?: number;
  /** Lower-case hex. */
  readonly parentHash?: string;
  /** Transactions of others in the same ledger. */
  readonly others?: number;
}

/** Anchors requested proofs with real transactions, in one ledger that a server would show. */
export async function anchorInLedger(
  store: EventStore,
  proofIds: readonly ProofId[],
  { ledgerId, index, others = 30, ...place }: Place,
): Promise<AnchoredLedger> {
  const own: TreeItem[] = [];
  for (const [nth, proofId] of proofIds.entries()) {
    const { state } = await load(store, streams.proof(proofId), proofDecider);
    if (state.status !== 'pending') throw new Error(`${proofId} is ${state.status}`);
    const { hashScheme, commitment, fileHash } = state.request;
    const signed = sign(
      proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous: null }),
      { Sequence: nth + index, LastLedgerSequence: index + 8 },
    );
    const prepared = {
      ...{ ledgerId, transactionHash: signed.hash, blob: signed.tx_blob, hashScheme },
      ...{ previousTransactionHash: null, account: sampleWallet.address, sequence: nth + index },
      ...{ feeDrops: 10, minLedger: index - 2, lastLedgerSequence: index + 8, replaces: null },
    };
    const decide = () =>
      proofEntries(store, proofId, (now) => proofDecider.prepareAnchor(now, prepared));
    await handleStreams(store, decide, meta);
    own.push({ blob: hexToBytes(signed.tx_blob), metadata: metadata(nth, nth + index) });
  }
  const items = [...own, ...Array.from({ length: others }, (_, at) => otherItem(`${index} ${at}`))];
  const [first] = items;
  const transactionRoot =
    first === undefined
      ? undefined
      : transactionPath(items, hexOf(transactionHash(first.blob))).root;
  const header = writeHeader({
    ...{ index, closeTime: place.closeTime ?? closeTime },
    ...(place.parentHash !== undefined && { parentHash: place.parentHash }),
    ...(transactionRoot !== undefined && { transactionRoot }),
  });
  for (const [nth, proofId] of proofIds.entries()) {
    const item = own[nth] as TreeItem;
    const anchored = {
      ...{ ledgerId, ledgerIndex: index, ledgerHash: header.hash.toUpperCase() },
      transactionHash: hexOf(transactionHash(item.blob)).toUpperCase(),
      ...{ closeTime: header.closeTime, closeTimeIso: closeTimeIso(header.closeTime) },
      ...{ transactionIndex: nth, metadata: hexOf(item.metadata).toUpperCase() },
      ledgerHeader: hexOf(header.bytes).toUpperCase(),
    };
    const decide = () =>
      proofEntries(store, proofId, (state) => proofDecider.recordAnchor(state, anchored));
    await handleStreams(store, decide, meta);
  }
  const transactions = items.map(({ blob, metadata }) => ({
    hash: hexOf(transactionHash(blob)).toUpperCase(),
    ...{ blob: hexOf(blob).toUpperCase(), metadata: hexOf(metadata).toUpperCase() },
  }));
  return { ledgerId, header, items, transactions };
}

/** Records a list, once. */
export async function recordList(
  store: EventStore,
  list: ReturnType<typeof writeList>,
  sequence = 1,
): Promise<ListReference> {
  const { manifest, blob, signature } = list;
  const publisherKey = String(list.public_key);
  const data = { network: 'testnet', publisherKey, sequence, manifest, blob, signature } as const;
  const stream = streams.validators('testnet');
  await append(store, stream, { type: 'ValidatorListPublished', data });
  return { publisherKey, sequence };
}

/** Records that `count` validators of the network signed the ledger. */
export async function recordAttested(
  store: EventStore,
  { ledgerId, header, items }: Pick<AnchoredLedger, 'ledgerId' | 'header' | 'items'>,
  network: SyntheticNetwork,
  options: {
    readonly lists: readonly ListReference[];
    readonly count?: number;
    readonly change?: object;
  },
): Promise<void> {
  await recordAttestation(store, {
    type: 'LedgerAttested',
    data: {
      ...{ ledgerId, ledgerIndex: header.index, ledgerHash: header.hash.toUpperCase() },
      ledgerHeader: hexOf(header.bytes).toUpperCase(),
      leaves: leavesOf(items),
      validations: network
        .validations(header, options.count)
        .map(({ bytes }) => encodeBase64(bytes)),
      manifests: [],
      validatorLists: options.lists,
      ...options.change,
    },
  });
}

/** Records a link to the ledger that comes `distance` after; resolves with its header. */
export async function recordLinked(
  store: EventStore,
  { ledgerId, header, items }: Pick<AnchoredLedger, 'ledgerId' | 'header' | 'items'>,
  distance: number,
  change: object = {},
): Promise<LedgerHeader> {
  const later = laterHeaders(header, distance);
  const last = later.at(-1) ?? header;
  await recordAttestation(store, {
    type: 'LedgerLinked',
    data: {
      ...{ ledgerId, ledgerIndex: header.index, ledgerHash: header.hash.toUpperCase() },
      leaves: leavesOf(items),
      next: { ledgerIndex: last.index, ledgerHash: last.hash.toUpperCase() },
      links: encodeBase64(packChain(header, later)),
      attestedIndex: last.index,
      ...change,
    },
  });
  return last;
}

export function leavesOf(items: readonly TreeItem[]): string {
  const whole = items.map(({ blob, metadata }) => ({
    hash: Buffer.from(transactionHash(blob)),
    blob: Buffer.from(blob),
    metadata: Buffer.from(metadata),
  }));
  return transactionLeaves(whole).toString('base64');
}

async function recordAttestation(store: EventStore, event: AttestationEvent): Promise<void> {
  const { ledgerId, ledgerIndex } = event.data;
  await append(store, streams.attestation(ledgerId, ledgerIndex), event);
}

async function append(store: EventStore, stream: string, event: DomainEvent): Promise<void> {
  const expectedVersion = await store.versionOf(stream);
  await store.append([{ organisationId: null, stream, expectedVersion, events: [event] }], {});
}

function sign(
  { type, format, data }: ReturnType<typeof proofMemo>,
  { Sequence, LastLedgerSequence }: { Sequence: number; LastLedgerSequence: number },
) {
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  const Memo = { MemoType: hex(type), MemoFormat: hex(format), MemoData: hex(data) };
  return sampleWallet.sign({
    ...{ TransactionType: 'AccountSet', Account: sampleWallet.address, Sequence, Fee: '10' },
    ...{ LastLedgerSequence, Memos: [{ Memo }] },
  });
}

function metadata(TransactionIndex: number, Sequence: number): Uint8Array {
  const account = { Account: sampleWallet.address, Flags: 0, OwnerCount: 0 };
  const ModifiedNode = {
    FinalFields: { ...account, Balance: '999999990', Sequence: Sequence + 1 },
    LedgerEntryType: 'AccountRoot',
    LedgerIndex: 'A2'.repeat(32),
    PreviousFields: { Balance: '1000000000', Sequence },
    PreviousTxnID: 'E6'.repeat(32),
    PreviousTxnLgrSeq: 7,
  };
  const AffectedNodes = [{ ModifiedNode }];
  return hexToBytes(encode({ AffectedNodes, TransactionIndex, TransactionResult: 'tesSUCCESS' }));
}

/** Bytes that nobody decodes. */
function otherItem(name: string): TreeItem {
  const bytes = (what: string) => createHash('sha256').update(`${what} ${name}`).digest();
  return { blob: bytes('blob'), metadata: bytes('metadata') };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
