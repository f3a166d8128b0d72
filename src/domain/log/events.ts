import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Network } from '../network.ts';
import { type CheckpointEvent, checkpointEvents } from './checkpoint-events.ts';
import type { CheckpointMemo } from './checkpoint-memo.ts';

/** The very first event of a log: it names the log for ever. */
export type LogOpened = EventOf<'LogOpened', { readonly logId: string; readonly leafVersion: 1 }>;

/**
 * A restored copy of the log was taken up as the log: from here on it is in another epoch. Up to
 * `keptSize` it is known to be what was published or anchored before. What was lost is all that the
 * checkpoints below cover beyond that, and that the log had to the position `reached`, if not null.
 */
export type LogRestored = EventOf<
  'LogRestored',
  {
    readonly epoch: number;
    readonly keptSize: number;
    readonly keptRootHash: string;
    /** The last one that was published; null where there is none any more. */
    readonly published: CheckpointMemo | null;
    /** The last one on the ledger; null where there is none. */
    readonly anchored: (CheckpointOnLedger & ClosedAt) | null;
    /** To which position the log had come when it last submitted, or stored, what this copy lacks. */
    readonly reached: number | null;
  }
>;

/** When its ledger closed (ISO 8601); null where no server had that ledger any more. */
interface ClosedAt {
  readonly closeTimeIso: string | null;
}

export interface CheckpointOnLedger extends CheckpointMemo {
  readonly network: Network;
  readonly transactionHash: string;
  readonly ledgerIndex: number;
}

/**
 * Transactions of our accounts that are on the ledger and whose events were lost. Several such events
 * follow one LogRestored where there are many.
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
  /** By its memo: `other` has none of ours, as the filling of a gap. */
  readonly anchored: 'proof' | 'checkpoint' | 'other';
}

/** What the ledger holds of our accounts was compared with the log: the epoch has begun. */
export type LogReconciled = EventOf<
  'LogReconciled',
  {
    readonly epoch: number;
    /** Proofs whose transactions were found on the ledger and put on record again. */
    readonly recovered: number;
    readonly lost: number;
  }
>;

export type LogEvent = LogOpened | LogRestored | TransactionsLost | LogReconciled | CheckpointEvent;

export const logEvents: DefinitionsOf<LogEvent> = {
  ...checkpointEvents,
  LogOpened: { schema: 1, clear: ['logId', 'leafVersion'] },
  LogRestored: {
    schema: 2,
    clear: ['epoch', 'keptSize', 'keptRootHash', 'published', 'anchored', 'reached'],
    upcasts: { 1: (data) => ({ ...data, reached: null }) },
  },
  TransactionsLost: {
    schema: 2,
    clear: ['epoch', 'network', 'account', 'transactions'],
    upcasts: { 1: withoutCloseTimes },
  },
  LogReconciled: { schema: 1, clear: ['epoch', 'recovered', 'lost'] },
};

function withoutCloseTimes(data: Readonly<Record<string, unknown>>) {
  const transactions = data.transactions as readonly object[];
  return { ...data, transactions: transactions.map((one) => ({ ...one, closeTimeIso: null })) };
}
