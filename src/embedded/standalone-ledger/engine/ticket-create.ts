import { ownerDirectoryIndex, ticketIndex } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { accountReserve } from './fees.ts';
import { type AccountRoot, type OwnerDirectory, untouched } from './ledger-entry.ts';
import type { Result } from './result.ts';
import { type ReadView, readAccount, type View, writeAccount } from './view.ts';

const mostTickets = 250;

export function preflightTicketCreate({ json }: Transaction): Result {
  const count = Number(json.TicketCount);
  return count < 1 || count > mostTickets ? 'temINVALID_COUNT' : 'tesSUCCESS';
}

export function preclaimTicketCreate(
  account: AccountRoot,
  { json, usesTicket }: Transaction,
): Result {
  const after = (account.TicketCount ?? 0) + Number(json.TicketCount) - (usesTicket ? 1 : 0);
  return after > mostTickets ? 'tecDIR_FULL' : 'tesSUCCESS';
}

/** The tickets take the account's next sequences; the account's Sequence continues after them. */
export function applyTicketCreate(
  view: View,
  transaction: Transaction,
  priorBalance: bigint,
): Result {
  const account = readAccount(view, transaction.account);
  if (account === undefined) return 'tefINTERNAL';
  const count = Number(transaction.json.TicketCount);
  if (priorBalance < accountReserve(account.OwnerCount + count)) return 'tecINSUFFICIENT_RESERVE';
  const directory = readDirectory(view, account.Account);
  const indexes: string[] = [];
  for (let sequence = account.Sequence; sequence < account.Sequence + count; sequence += 1) {
    const index = ticketIndex(account.Account, sequence);
    indexes.push(index);
    view.write(index, {
      LedgerEntryType: 'Ticket',
      Account: account.Account,
      Flags: 0,
      OwnerNode: '0',
      TicketSequence: sequence,
      ...untouched,
    });
  }
  view.write(directory.RootIndex, {
    ...directory,
    Indexes: [...directory.Indexes, ...indexes].sort(),
  });
  writeAccount(view, {
    ...account,
    OwnerCount: account.OwnerCount + count,
    Sequence: account.Sequence + count,
    TicketCount: (account.TicketCount ?? 0) + count,
  });
  return 'tesSUCCESS';
}

/** Uses up a ticket. The owner directory stays even after the last ticket. */
export function consumeTicket(view: View, address: string, ticketSequence: number): void {
  const account = readAccount(view, address);
  if (account === undefined) return;
  const index = ticketIndex(address, ticketSequence);
  const directory = readDirectory(view, address);
  view.erase(index);
  view.write(directory.RootIndex, {
    ...directory,
    Indexes: directory.Indexes.filter((each) => each !== index),
  });
  const { TicketCount = 1, ...rest } = account;
  const left = TicketCount - 1;
  writeAccount(view, {
    ...rest,
    OwnerCount: account.OwnerCount - 1,
    ...(left > 0 ? { TicketCount: left } : {}),
  });
}

function readDirectory(view: ReadView, address: string): OwnerDirectory {
  const index = ownerDirectoryIndex(address);
  const entry = view.read(index);
  if (entry?.LedgerEntryType === 'DirectoryNode') return entry;
  return {
    LedgerEntryType: 'DirectoryNode',
    Flags: 0,
    Indexes: [],
    Owner: address,
    RootIndex: index,
    ...untouched,
  };
}
