import type { AccountEvent } from '../domain/account/events.ts';
import type { SignedTransaction } from '../domain/ledger/transaction.ts';
import type { LogEvent } from '../domain/log/events.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/** Transactions of one account in the log, as far back as requested. */
interface KnownSignatures {
  /** The highest Sequence that was assigned; 0 if none was. */
  readonly highest: number;
  /** The highest Sequence that a validated ledger is known to have applied; 0 if unknown. */
  readonly applied: number;
  /** The lowest assigned Sequence among the events read. */
  readonly lowest: number;
  /**
   * Hashes of all transactions that were signed under the Sequences read, or recorded as lost by a
   * restore.
   */
  readonly hashes: ReadonlySet<string>;
}

/** Far more events than can be open, or free again, of one account. */
const recentEvents = 5_000;
const recentLogEvents = 2_000;
const streamsAtOnce = 500;
/** The newest transactions are settled, except after an unclean end. */
const newestStreams = 20;
const newestEvents = 50;

/**
 * Finds one of the highest Sequences of the account that is known to be applied, and the last
 * assigned ones. Cheap if the newest transactions are settled. Every transaction that the log may
 * have forgotten has a higher Sequence, since it was applied later.
 */
export async function newestApplied(
  store: Pick<EventStore, 'readNewest' | 'readStreams'>,
  of: { readonly logId: string; readonly ledgerId: string; readonly account: string },
): Promise<KnownSignatures> {
  const newest = await knownSignatures(store, of, null, newestEvents);
  if (newest.applied > 0 || newest.highest === 0) return newest;
  return knownSignatures(store, of, null);
}

/**
 * Reads the transactions of an account in the log, from the newest Sequence down to `downTo`. If
 * `downTo` is null, reads down to the first Sequence that is known to be applied.
 */
export async function knownSignatures(
  store: Pick<EventStore, 'readNewest' | 'readStreams'>,
  of: { readonly logId: string; readonly ledgerId: string; readonly account: string },
  downTo: ((highest: number) => number) | null,
  events = recentEvents,
): Promise<KnownSignatures> {
  const { logId, ledgerId, account } = of;
  const own = streams.account(ledgerId, account);
  const recent = await store.readNewest(own, events);
  const ownLog = await store.readNewest(streams.log(logId), Math.min(events, recentLogEvents));
  const found = { applied: 0, hashes: new Set<string>() };
  const note = ({ sequence, transactionHash, isApplied }: Signature) => {
    found.hashes.add(transactionHash);
    if (isApplied) found.applied = Math.max(found.applied, sequence);
  };
  for (const one of [...fills(recent), ...checkpoints(ownLog)]) {
    if (one.account === account && one.ledgerId === ledgerId) note(one);
  }
  for (const hash of ownLog.flatMap((event) => lostBy(event))) {
    found.hashes.add(hash);
  }
  const taken = recent
    .flatMap((event) => (event.type === 'SequencesTaken' ? event.data.taken : []))
    .sort((a, b) => b.sequence - a.sequence);
  const given = [
    ...taken.map(({ sequence }) => sequence),
    ...recent.flatMap((event) => (event.type === 'GapFillPrepared' ? [event.data.sequence] : [])),
  ];
  const highest = given.reduce((a, b) => Math.max(a, b), 0);
  const lowest = given.reduce((a, b) => Math.min(a, b), highest);
  const bound = downTo?.(highest) ?? null;
  let count = downTo === null ? newestStreams : streamsAtOnce;
  for (let start = 0; start < taken.length; ) {
    const chunk = taken.slice(start, start + count);
    start += count;
    count = streamsAtOnce;
    if ((chunk[0]?.sequence ?? 0) < (bound ?? found.applied)) break;
    const wanted = chunk.flatMap((one) => ('proofId' in one ? [one.proofId] : []));
    const signed = await signedFor(store, [...new Set(wanted)]);
    for (const one of signed) if (one.account === account && one.ledgerId === ledgerId) note(one);
  }
  return { highest, lowest, ...found };
}

interface Signature
  extends Pick<SignedTransaction, 'ledgerId' | 'account' | 'sequence' | 'transactionHash'> {
  /** The Sequence is known to be used up. */
  readonly isApplied: boolean;
}

/** All transactions that were ever signed for these proofs. */
async function signedFor(
  store: Pick<EventStore, 'readStreams'>,
  proofIds: readonly ProofId[],
): Promise<readonly Signature[]> {
  const found = await store.readStreams(proofIds.map(streams.proof));
  return [...found.values()].flatMap((events) => {
    const applied = events.flatMap(({ type, data }) => {
      const isApplied =
        type === 'Anchored' || (type === 'AnchorExpired' && data.reason === 'failed');
      return isApplied ? [data.transactionHash] : [];
    });
    return signatures(
      events.flatMap((event) => (event.type === 'AnchorPrepared' ? [event.data] : [])),
      applied,
    );
  });
}

function fills(events: readonly StoredEvent<AccountEvent>[]): readonly Signature[] {
  return signatures(
    events.flatMap((event) => (event.type === 'GapFillPrepared' ? [event.data] : [])),
    events.flatMap(({ type, data }) =>
      type === 'GapFillSettled' && data.outcome === 'validated' ? [data.transactionHash] : [],
    ),
  );
}

function checkpoints(events: readonly StoredEvent<LogEvent>[]): readonly Signature[] {
  return signatures(
    events.flatMap((event) => (event.type === 'CheckpointPrepared' ? [event.data] : [])),
    events.flatMap(({ type, data }) =>
      type === 'CheckpointAnchored' || type === 'CheckpointRefused' ? [data.transactionHash] : [],
    ),
  );
}

/** Signed transactions; `applied` are the hashes of those that a ledger is known to have applied. */
function signatures(
  signed: readonly SignedTransaction[],
  applied: readonly string[],
): readonly Signature[] {
  const hashes = new Set(applied);
  return signed.map((one) => ({ ...one, isApplied: hashes.has(one.transactionHash) }));
}

function lostBy(event: StoredEvent<LogEvent>): readonly string[] {
  if (event.type !== 'TransactionsLost') return [];
  return event.data.transactions.map(({ transactionHash }) => transactionHash);
}
