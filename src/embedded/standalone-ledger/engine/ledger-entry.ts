import { zeroHash } from '../codec/hashes.ts';

/** Fields of every entry here: the last transaction that touched it, zeros before the first. */
interface Threaded {
  readonly Flags: number;
  readonly PreviousTxnID: string;
  readonly PreviousTxnLgrSeq: number;
}

export interface AccountRoot extends Threaded {
  readonly LedgerEntryType: 'AccountRoot';
  readonly Account: string;
  /** Drops. */
  readonly Balance: string;
  readonly OwnerCount: number;
  readonly Sequence: number;
  readonly RegularKey?: string;
  readonly TicketCount?: number;
  readonly Domain?: string;
  readonly EmailHash?: string;
  readonly MessageKey?: string;
  readonly TransferRate?: number;
  readonly TickSize?: number;
}

interface TicketEntry extends Threaded {
  readonly LedgerEntryType: 'Ticket';
  readonly Account: string;
  readonly OwnerNode: string;
  readonly TicketSequence: number;
}

export interface OwnerDirectory extends Threaded {
  readonly LedgerEntryType: 'DirectoryNode';
  readonly Owner: string;
  readonly RootIndex: string;
  readonly Indexes: readonly string[];
}

/** The entry types touched by the processed transactions. Entries are never changed in place. */
export type LedgerEntry = AccountRoot | TicketEntry | OwnerDirectory;

export const untouched = { PreviousTxnID: zeroHash, PreviousTxnLgrSeq: 0 } as const;

/** Flags of an account root (rippled: LedgerFormats.h). */
export const accountFlag = {
  passwordSpent: 0x00010000,
  requireDestinationTag: 0x00020000,
  requireAuthorization: 0x00040000,
  disallowIncomingXRP: 0x00080000,
  disableMasterKey: 0x00100000,
  noFreeze: 0x00200000,
  globalFreeze: 0x00400000,
  defaultRipple: 0x00800000,
  depositAuth: 0x01000000,
  disallowIncomingNFTokenOffer: 0x04000000,
  disallowIncomingCheck: 0x08000000,
  disallowIncomingPayChan: 0x10000000,
  disallowIncomingTrustline: 0x20000000,
  allowTrustLineClawback: 0x80000000,
} as const;

export function hasFlag(flags: number, flag: number): boolean {
  return (flags & flag) !== 0;
}
