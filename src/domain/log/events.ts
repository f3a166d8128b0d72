import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Network } from '../network.ts';
import { type CheckpointEvent, checkpointEvents } from './checkpoint-events.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';
import { logName } from './origin.ts';

/** The very first event of a log. It names the log permanently. */
type LogOpened = EventOf<
  'LogOpened',
  {
    readonly logId: string;
    readonly leafVersion: 1;
    /** Origin of the first epoch (`logName`). */
    readonly origin: string;
  }
>;

/**
 * A restored copy of the log continues as the log, in a new epoch. Up to `keptSize` the log is
 * known to match the tree published or anchored before. The lost events are those that the
 * checkpoints below cover beyond `keptSize`, and those up to position `reached` if that is not
 * null.
 */
export type LogRestored = EventOf<
  'LogRestored',
  {
    readonly epoch: number;
    readonly keptSize: number;
    readonly keptRootHash: string;
    /** Last published checkpoint; null if there is none any more. */
    readonly published: CheckpointMemo | null;
    /** Last checkpoint on the ledger; null if there is none. */
    readonly anchored: (CheckpointOnLedger & ClosedAt) | null;
    /** Log position at the last submission, or at the last stored tile, that this copy lacks. */
    readonly reached: number | null;
    /**
     * All restores before this one, by epoch, also those whose own events are lost. Empty in events
     * of releases that named none.
     */
    readonly earlier: readonly EarlierRestore[];
  }
>;

/** A restore before another one, which names it. A restore begins an epoch and ends the one before. */
export interface EarlierRestore {
  /** The epoch that it began, from 2. */
  readonly epoch: number;
  /** Number of events that it kept; null if a later restore has lost the event that records it. */
  readonly keptSize: number | null;
  /** Last published checkpoint of the epoch that it ended; null if none is known. */
  readonly published: CheckpointMemo | null;
  /** Last checkpoint of the epoch that it ended on the ledger; null if none is known. */
  readonly anchored: CheckpointMemo | null;
}

/** Close time of its ledger (ISO 8601); null if no server had that ledger any more. */
interface ClosedAt {
  readonly closeTimeIso: string | null;
}

export interface CheckpointOnLedger extends CheckpointMemo {
  readonly network: Network;
  readonly transactionHash: string;
  readonly ledgerIndex: number;
}

/**
 * Transactions of our accounts that are on the ledger and whose events were lost. One LogRestored
 * may be followed by several such events.
 */
export type TransactionsLost = EventOf<
  'TransactionsLost',
  {
    readonly epoch: number;
    readonly network: Network;
    readonly account: string;
    readonly transactions: readonly LostTransaction[];
  }
>;

export interface LostTransaction extends ClosedAt {
  readonly transactionHash: string;
  readonly ledgerIndex: number;
  readonly engineResult: string;
  /** Kind of its memo. `other`: none of ours, as in a gap fill. */
  readonly anchored: 'proof' | 'checkpoint' | 'other';
}

/**
 * The transactions of our accounts on the ledger were compared with the log: the epoch has begun.
 */
type LogReconciled = EventOf<
  'LogReconciled',
  {
    readonly epoch: number;
    /** Number of proofs whose transactions were found on the ledger and recorded again. */
    readonly recovered: number;
    readonly lost: number;
  }
>;

export type LogEvent = LogOpened | LogRestored | TransactionsLost | LogReconciled | CheckpointEvent;

export const logEvents: DefinitionsOf<LogEvent> = {
  ...checkpointEvents,
  LogOpened: {
    schema: 2,
    clear: ['logId', 'leafVersion', 'origin'],
    upcasts: { 1: (data) => ({ ...data, origin: logName(String(data.logId)) }) },
  },
  LogRestored: {
    schema: 3,
    clear: ['epoch', 'keptSize', 'keptRootHash', 'published', 'anchored', 'reached', 'earlier'],
    upcasts: {
      1: (data) => ({ ...data, reached: null }),
      2: (data) => ({ ...data, earlier: [] }),
    },
    downcast: withoutEarlier,
  },
  TransactionsLost: {
    schema: 2,
    clear: ['epoch', 'network', 'account', 'transactions'],
    upcasts: { 1: withoutCloseTimes },
  },
  LogReconciled: { schema: 1, clear: ['epoch', 'recovered', 'lost'] },
};

/** A first restore has none before it. */
function withoutEarlier({ earlier, ...data }: LogRestored['data']): object | null {
  return earlier.length === 0 ? data : null;
}

function withoutCloseTimes(data: Readonly<Record<string, unknown>>) {
  const transactions = data.transactions as readonly object[];
  return { ...data, transactions: transactions.map((one) => ({ ...one, closeTimeIso: null })) };
}
