import type { JsonObject } from './json.ts';
import { MalformedTransaction } from './malformed-transaction.ts';

interface Format {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const common: Format = {
  required: ['TransactionType', 'Account', 'Sequence', 'Fee', 'SigningPubKey'],
  optional: [
    ...['Flags', 'SourceTag', 'PreviousTxnID', 'LastLedgerSequence', 'AccountTxnID', 'Memos'],
    ...['OperationLimit', 'TicketSequence', 'TxnSignature', 'Signers', 'NetworkID'],
  ],
};

/** Fields of the transaction types that this ledger processes (rippled: transactions.macro). */
const formats: Readonly<Record<string, Format>> = {
  AccountSet: {
    required: [],
    optional: [
      ...['EmailHash', 'WalletLocator', 'WalletSize', 'MessageKey', 'Domain', 'TransferRate'],
      ...['SetFlag', 'ClearFlag', 'TickSize', 'NFTokenMinter'],
    ],
  },
  Payment: {
    required: ['Destination', 'Amount'],
    optional: ['SendMax', 'Paths', 'InvoiceID', 'DestinationTag', 'DeliverMin', 'CredentialIDs'],
  },
  SetRegularKey: { required: [], optional: ['RegularKey'] },
  TicketCreate: { required: ['TicketCount'], optional: [] },
};

export function isProcessed(transactionType: string): boolean {
  return Object.hasOwn(formats, transactionType);
}

/** Throws MalformedTransaction in rippled's words when a field is missing or out of place. */
export function checkFormat(json: JsonObject): void {
  const format = formats[String(json.TransactionType)] ?? { required: [], optional: undefined };
  for (const field of [...common.required, ...format.required]) {
    if (json[field] === undefined) {
      throw new MalformedTransaction(`Field '${field}' is required but missing.`);
    }
  }
  if (format.optional === undefined) return;
  const allowed = new Set(
    [common, format].flatMap((each) => [...each.required, ...(each.optional ?? [])]),
  );
  for (const field of Object.keys(json)) {
    if (!allowed.has(field)) {
      throw new MalformedTransaction(`Field '${field}' found in disallowed location.`);
    }
  }
}
