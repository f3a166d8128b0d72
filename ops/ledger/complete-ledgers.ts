import { hexToBytes } from '@noble/hashes/utils.js';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { ValidatedLedger } from '../../src/ledger/contract.ts';
import { AttestationRecord } from '../../src/reactors/attesting/attestation-record.ts';
import { type AttestedLedger, AttestingFold } from '../../src/reactors/attesting/attesting-fold.ts';
import { HeaderChains } from '../../src/reactors/attesting/header-chains.ts';
import { readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import type { LedgersOfChain } from './find-unattested.ts';
import type { LedgerHistory } from './ledger-history.ts';

export interface CompletingOptions {
  readonly store: EventStore;
  readonly history: Pick<LedgerHistory, 'header' | 'ledger'>;
  /** Headers between a ledger and the one whose validations attest it, at most. */
  readonly mostHeaders: number;
  /** Called with the headers asked for so far, of all that are needed. */
  readonly onHeaders: (done: number, total: number) => void;
  readonly cancelled: AbortSignal;
  /** Leaves out ledgers with younger records: the service may still hear their validations. */
  readonly graceMs: number;
}

/** Result for one chain; lists are of ledger indexes, descending. */
export interface Completed {
  readonly ledgerId: string;
  readonly completed: readonly number[];
  /** No later ledger is attested yet. */
  readonly noneLater: readonly number[];
  /** The next attested ledger comes after more headers than permitted. */
  readonly tooFar: readonly number[];
  /** No server has all headers up to an attested ledger, or the ledger itself. */
  readonly withoutHistory: readonly number[];
  /** Contradictions between the log and the history of the ledger. */
  readonly faults: readonly string[];
}

/**
 * Links every unattested ledger to the nearest later attested one, from the newest to the oldest, so
 * that each header is asked for once. Every header and every transaction is checked by its hash.
 * Each ledger is recorded when it is complete, so an interrupted call can be repeated. Rejects if no
 * server answers.
 */
export async function completeLedgers(
  { ledgerId, unattested, attested }: LedgersOfChain,
  options: CompletingOptions,
): Promise<Completed> {
  const { store, history, mostHeaders, onHeaders, cancelled, graceMs } = options;
  const completed: number[] = [];
  const noneLater: number[] = [];
  const tooFar: number[] = [];
  const withoutHistory: number[] = [];
  const faults: string[] = [];
  const total = neededHeaders({ unattested, attested }, mostHeaders);
  let asked = 0;
  const headers = new HeaderChains({
    header: (index, hash) => {
      asked += 1;
      onHeaders(Math.min(asked, total), total);
      return history.header(index, hash);
    },
  });
  const read = rememberLast(history.ledger);
  const fold = new AttestingFold(0, { pending: [], attested: [] });
  const known = { newerManifests: () => [] };
  const record = new AttestationRecord({ store, ledger: read, known, fold });
  let next: AttestedLedger | null = null;
  let allYoung = true;
  for (const index of descending({ unattested, attested })) {
    if (cancelled.aborted) break;
    const positions = unattested.get(index);
    if (positions === undefined) {
      next = attested.get(index) ?? next;
      continue;
    }
    const isTooFar = next !== null && next.attestedIndex - index > mostHeaders;
    // Spares a read for each of perhaps very many: older ledgers are older records.
    const isNeeded = allYoung || !(next === null || isTooFar);
    const events = isNeeded ? await eventsAt(store, positions) : [];
    if (isYoung(events, graceMs)) continue;
    allYoung = false;
    if (next === null) noneLater.push(index);
    else if (isTooFar) tooFar.push(index);
    else {
      const outcome = await complete({ ledgerId, index, next, events }, { headers, record, read });
      if (outcome === 'missing') withoutHistory.push(index);
      else {
        faults.push(...outcome.faults);
        if (outcome.attested === null) continue;
        completed.push(index);
        next = outcome.attested;
      }
    }
  }
  return { ledgerId, completed, noneLater, tooFar, withoutHistory, faults };
}

type Ledgers = Pick<LedgersOfChain, 'unattested' | 'attested'>;

function descending({ unattested, attested }: Ledgers): readonly number[] {
  return [...unattested.keys(), ...attested.keys()].sort((a, b) => b - a);
}

/** Headers that must be asked for if all of them are there. */
function neededHeaders({ unattested, attested }: Ledgers, mostHeaders: number): number {
  let needed = 0;
  let linkable: number | null = null;
  let attestedIndex = 0;
  for (const index of descending({ unattested, attested })) {
    const own = attested.get(index);
    if (own !== undefined) attestedIndex = own.attestedIndex;
    else if (linkable === null || attestedIndex - index > mostHeaders) continue;
    else needed += linkable - index;
    linkable = index;
  }
  return needed;
}

/** Keeps the last ledger, which is used twice. */
function rememberLast(read: LedgerHistory['ledger']): LedgerHistory['ledger'] {
  let last: ValidatedLedger | null = null;
  return async (index, hash) => {
    if (last?.hash !== hash) last = await read(index, hash);
    return last;
  };
}

/** Event of a transaction of ours in a validated ledger. */
type AnchoringEvent = Extract<StoredEvent, { type: 'Anchored' | 'CheckpointAnchored' }>;

async function eventsAt(
  store: Pick<EventStore, 'readLog'>,
  positions: readonly number[],
): Promise<readonly AnchoringEvent[]> {
  const events: AnchoringEvent[] = [];
  for (const position of positions) {
    const [event] = await store.readLog(position - 1, 1);
    if (event?.type === 'Anchored' || event?.type === 'CheckpointAnchored') events.push(event);
  }
  return events;
}

function isYoung(events: readonly AnchoringEvent[], graceMs: number): boolean {
  const since = Math.min(...events.map(({ recordedAt }) => Date.parse(recordedAt)));
  return events.length > 0 && Date.now() - since < graceMs;
}

interface Unlinked {
  readonly ledgerId: string;
  readonly index: number;
  readonly next: AttestedLedger;
  readonly events: readonly AnchoringEvent[];
}

/** `missing`: no server has the history. */
type Outcome =
  | { readonly attested: AttestedLedger | null; readonly faults: readonly string[] }
  | 'missing';

async function complete(
  { ledgerId, index, next, events }: Unlinked,
  {
    headers,
    record,
    read,
  }: {
    readonly headers: HeaderChains;
    readonly record: AttestationRecord;
    readonly read: LedgerHistory['ledger'];
  },
): Promise<Outcome> {
  const later = await headers.between({ ledgerIndex: index }, next);
  if (later === null) return 'missing';
  const hash = later[0]?.parentHash.toUpperCase();
  // A server may have shown a forged ledger for some of our transactions.
  const own = events.filter(({ data }) => data.ledgerHash === hash && hasItsHash(data));
  const faults = events
    .filter((event) => !own.includes(event))
    .map((event) => faultOf(event, next.attestedIndex));
  const [event] = own;
  if (event === undefined) {
    const unread = events.length === 0 ? [`ledger ${index}: its events cannot be read again`] : [];
    return { attested: null, faults: [...faults, ...unread] };
  }
  const { ledgerHash, ledgerHeader, closeTime } = event.data;
  const since = event.recordedAt;
  const pending = { ledgerId, ledgerIndex: index, ledgerHash, ledgerHeader, closeTime, since };
  const whole = await read(index, ledgerHash);
  if (whole === null) return 'missing';
  const [wrong] = own.flatMap((one) => faultIn(one, whole) ?? []);
  if (wrong !== undefined) return { attested: null, faults: [...faults, wrong] };
  const leaves = await record.leavesOf(pending);
  if (leaves === null) return 'missing';
  const first = readHeader(hexToBytes(ledgerHeader));
  await record.linked({ ...pending, leaves }, next, { first, later });
  const { attestedIndex } = next;
  return { attested: { ledgerId, ledgerIndex: index, ledgerHash, attestedIndex }, faults };
}

function hasItsHash({ ledgerHash, ledgerHeader }: AnchoringEvent['data']): boolean {
  return readHeader(hexToBytes(ledgerHeader)).hash.toUpperCase() === ledgerHash;
}

/** Reason why the ledger of a record is not the one in the chain. */
function faultOf({ position, data }: AnchoringEvent, attestedIndex: number): string {
  const { ledgerIndex, ledgerHash } = data;
  return hasItsHash(data)
    ? `position ${position}: ledger ${ledgerIndex} with hash ${ledgerHash} is not in the chain of the attested ledger ${attestedIndex}`
    : `position ${position}: the recorded header of ledger ${ledgerIndex} does not have the recorded hash`;
}

/** Difference between the record of our transaction and its ledger; null without one. */
function faultIn({ position, data }: AnchoringEvent, ledger: ValidatedLedger): string | null {
  const { transactionHash, metadata, ledgerIndex } = data;
  const at = `position ${position}: `;
  const found = ledger.transactions.find(({ hash }) => hash === transactionHash);
  if (found === undefined) return `${at}ledger ${ledgerIndex} does not contain ${transactionHash}`;
  if (found.metadata.toUpperCase() === metadata.toUpperCase()) return null;
  return `${at}ledger ${ledgerIndex} has other metadata of ${transactionHash}`;
}
