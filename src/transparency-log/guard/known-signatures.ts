import type { AccountEvent } from '../../domain/account/events.ts';
import type { LogEvent } from '../../domain/log/events.ts';
import { streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/** What the log knows of the transactions of one account, as far back as it was asked for. */
export interface KnownSignatures {
  /** The highest Sequence that was given out; 0 if none was. */
  readonly highest: number;
  /** The highest that a validated ledger is known to have applied; 0 if that is not known. */
  readonly applied: number;
  /** The least that was given out. */
  readonly lowest: number;
  /** Hashes of all that was signed under the Sequences looked at, or named as lost by a restore. */
  readonly hashes: ReadonlySet<string>;
}

/** Far more than can be open, or free again, of one account. */
const recentEvents = 5_000;
const recentLogEvents = 2_000;
const streamsAtOnce = 500;
/** The newest were settled but after an unclean end. */
const newestStreams = 20;
const newestEvents = 50;

/**
 * A Sequence of the account that is known to be applied, one of the highest, with what was given out
 * last. Costs little where the newest were settled. Whatever the log may have forgotten has a higher
 * Sequence: it was applied after this one.
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
 * Reads what the log knows of an account's transactions, from the newest Sequence down to `downTo`, or
 * to the first that is known to be applied where that is null.
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

interface Signature {
  readonly ledgerId: string;
  readonly account: string;
  readonly sequence: number;
  readonly transactionHash: string;
  /** Known to have used its Sequence up. */
  readonly isApplied: boolean;
}

/** Everything that was ever signed for these proofs. */
async function signedFor(
  store: Pick<EventStore, 'readStreams'>,
  proofIds: readonly ProofId[],
): Promise<readonly Signature[]> {
  const found = await store.readStreams(proofIds.map(streams.proof));
  return [...found.values()].flatMap((events) => {
    const applied = new Set(
      events.flatMap(({ type, data }) => {
        const isApplied =
          type === 'Anchored' || (type === 'AnchorExpired' && data.reason === 'failed');
        return isApplied ? [data.transactionHash] : [];
      }),
    );
    return events.flatMap((event) =>
      event.type === 'AnchorPrepared'
        ? [{ ...event.data, isApplied: applied.has(event.data.transactionHash) }]
        : [],
    );
  });
}

function fills(events: readonly StoredEvent<AccountEvent>[]): readonly Signature[] {
  const applied = new Set(
    events.flatMap(({ type, data }) =>
      type === 'GapFillSettled' && data.outcome === 'validated' ? [data.transactionHash] : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === 'GapFillPrepared'
      ? [{ ...event.data, isApplied: applied.has(event.data.transactionHash) }]
      : [],
  );
}

function checkpoints(events: readonly StoredEvent<LogEvent>[]): readonly Signature[] {
  const applied = new Set(
    events.flatMap(({ type, data }) =>
      type === 'CheckpointAnchored' || type === 'CheckpointRefused' ? [data.transactionHash] : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === 'CheckpointPrepared'
      ? [{ ...event.data, isApplied: applied.has(event.data.transactionHash) }]
      : [],
  );
}

function lostBy(event: StoredEvent<LogEvent>): readonly string[] {
  if (event.type !== 'TransactionsLost') return [];
  return event.data.transactions.map(({ transactionHash }) => transactionHash);
}
