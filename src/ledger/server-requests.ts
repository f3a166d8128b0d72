import { type RawMemos, readMemos } from './anchor-transaction.ts';
import type {
  LedgerAccount,
  LedgerRange,
  LedgerTip,
  SubmitAnswer,
  TransactionLookup,
  ValidatedLedger,
} from './contract.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';
import type { ServerConnection } from './server-connection.ts';
import { nullIfRefused, ServerRefused } from './server-refused.ts';
import {
  type BinaryLedgerAnswer,
  readLedgerHeader,
  readValidatedLedger,
} from './validated-ledger.ts';

/** A validated ledger, checked; null if the server does not have it. */
export async function requestLedger(
  server: ServerConnection,
  index: number,
): Promise<ValidatedLedger | null> {
  return nullIfRefused('lgrNotFound', async () => {
    const answer = await server.request<BinaryLedgerAnswer>('ledger', {
      ledger_index: index,
      transactions: true,
      expand: true,
      binary: true,
    });
    if (answer.validated !== true) return null;
    const ledger = readValidatedLedger(answer);
    if (ledger.index !== index) {
      throw new LedgerUnavailable(
        `${server.name} returned ledger ${ledger.index} instead of ${index}`,
      );
    }
    return ledger;
  });
}

/** Identity of a validated ledger, read from its header; null if the server does not show it. */
export async function requestHeader(
  server: ServerConnection,
  ledgerIndex: number,
): Promise<LedgerTip | null> {
  try {
    const { ledger, validated } = await server.request<BinaryLedgerAnswer>('ledger', {
      ledger_index: ledgerIndex,
      binary: true,
    });
    if (validated !== true) return null;
    const { index, hash, closeTime } = readLedgerHeader(ledger.ledger_data);
    return index === ledgerIndex ? { index, hash, closeTime } : null;
  } catch (error) {
    // An index that no ledger can have is refused as invalid.
    if (error instanceof ServerRefused) return null;
    throw error;
  }
}

/** The account in the newest validated ledger; null if it does not exist. */
export async function askAccount(
  server: ServerConnection,
  address: string,
): Promise<LedgerAccount | null> {
  return nullIfRefused('actNotFound', async () => {
    const { account_data: data } = await server.request<{
      account_data: AccountRoot;
    }>('account_info', { account: address, ledger_index: 'validated' });
    if (!isSequence(data.Sequence)) {
      throw new LedgerUnavailable(`${server.name} returned a Sequence that no account can have`);
    }
    return {
      sequence: data.Sequence,
      balanceDrops: BigInt(data.Balance),
      regularKey: data.RegularKey ?? null,
      masterKeyDisabled: (data.Flags & lsfDisableMaster) !== 0,
      ownedObjects: data.OwnerCount,
    };
  });
}

/** A transaction has 32 bits for it: any other number would be signed as another one. */
function isSequence(sequence: number): boolean {
  return Number.isInteger(sequence) && sequence > 0 && sequence < 2 ** 32;
}

/** One transaction by its hash. If it is absent, `searchedAll` is the server's own statement. */
export async function askTransaction(
  server: ServerConnection,
  hash: string,
  range?: LedgerRange,
): Promise<TransactionLookup> {
  try {
    const answer = await server.request<TransactionAnswer>('tx', {
      transaction: hash,
      ...(range ? { min_ledger: range.minLedger, max_ledger: range.maxLedger } : {}),
    });
    if (answer.validated !== true) return { found: 'unvalidated' };
    return {
      found: 'validated',
      ledgerIndex: answer.ledger_index,
      ledgerHash: answer.ledger_hash,
      closeTime: answer.tx_json.date,
      result: answer.meta.TransactionResult,
      account: answer.tx_json.Account,
      memos: readMemos(answer.tx_json.Memos),
    };
  } catch (error) {
    if (!(error instanceof ServerRefused) || error.code !== 'txnNotFound') throw error;
    return { found: 'absent', searchedAll: error.data.searched_all === true };
  }
}

/**
 * Submits a signed blob; every answer of the server is provisional. Rejects with `Withdrawn` if the
 * transaction is not wanted when it may go.
 */
export async function submitTo(
  server: ServerConnection,
  blob: string,
  isWanted?: () => boolean,
): Promise<SubmitAnswer> {
  try {
    const answer = await server.submit<SubmissionAnswer>({ tx_blob: blob }, isWanted);
    // An index that is no number would put off all later submissions.
    const stated = answer.validated_ledger_index;
    return {
      engineResult: answer.engine_result,
      message: answer.engine_result_message,
      validatedLedger: Number.isSafeInteger(stated) ? Number(stated) : 0,
    };
  } catch (error) {
    if (!(error instanceof ServerRefused)) throw error;
    return {
      engineResult: error.code,
      message: String(error.data.error_exception ?? error.message),
      validatedLedger: 0,
    };
  }
}

/** Flag of an account whose master key is disabled (xrpl.org, "AccountRoot Flags"). */
const lsfDisableMaster = 0x0010_0000;

/** https://xrpl.org/accountroot.html */
interface AccountRoot {
  readonly Sequence: number;
  readonly Balance: string;
  readonly RegularKey?: string;
  readonly Flags: number;
  readonly OwnerCount: number;
}

interface SubmissionAnswer {
  readonly engine_result: string;
  readonly engine_result_message: string;
  readonly validated_ledger_index?: unknown;
}

interface TransactionAnswer {
  readonly validated?: boolean;
  readonly ledger_index: number;
  readonly ledger_hash: string;
  readonly meta: { readonly TransactionResult: string };
  readonly tx_json: { readonly Account: string; readonly date: number; readonly Memos?: RawMemos };
}
