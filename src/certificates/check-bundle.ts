import type { NoteVerifier } from '../transparency-log/checkpoint/note-key.ts';
import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check, notChecked, ok } from '../verifier/check/check.ts';
import { checkAddresses } from '../verifier/check/check-addresses.ts';
import { checkChecksum } from '../verifier/check/check-checksum.ts';
import { checkCommitment } from '../verifier/check/check-commitment.ts';
import { checkLog } from './check-log.ts';
import { checkOnLedger, type LedgerFinding } from './check-on-ledger.ts';
import { checkTransaction } from './check-transaction.ts';
import { checkValidation } from './check-validation.ts';

/** What the bundle is held against. */
export interface Against {
  /** SHA-256 of the file, lower-case hex; null if there is none to check. */
  readonly fileHash: string | null;
  /** The accounts that one expects to have anchored; null if one does not know. */
  readonly accounts: readonly string[] | null;
  readonly ledger: LedgerFinding;
  /** The keys that one knows for the log's; null if one does not know any. */
  readonly logKeys: readonly NoteVerifier[] | null;
  /** The bundle came out of a certificate, whose pages may say anything. */
  readonly isPrinted?: boolean;
}

const claims =
  'names of organisation, workspace and file, size, type, number of the revision, proof id and time of issue are claims: whoever wrote this bundle may have made them up';
const unchecked =
  'the printed pages may show anything, other names and dates too: go by what is said here';

/**
 * Checks everything that can be: each name of `checkNames` once, in that order, `pages` of certificates
 * alone. Nothing is fetched, and whatever a bundle holds that could be read, no check throws.
 */
export function checkBundle(
  bundle: Bundle,
  { fileHash, accounts, ledger, logKeys, isPrinted = false }: Against,
): Check[] {
  const onLedger = checkOnLedger(bundle, ledger);
  const isAnchored = onLedger.every(({ outcome }) => outcome === 'ok');
  return [
    checkChecksum(bundle),
    ...checkCommitment(bundle, fileHash),
    ...checkTransaction(bundle).map((one) => (isAnchored ? toldByLedger(one) : one)),
    ...checkValidation(bundle),
    checkAddresses(bundle),
    checkAccount(bundle, accounts),
    ...onLedger,
    ...checkLog(bundle, logKeys),
    notChecked('statements', claims),
    ...(isPrinted ? [notChecked('pages', unchecked)] : []),
  ];
}

/** A validated ledger holds the transaction: so its key was one that might sign for the account. */
function toldByLedger(one: Check): Check {
  if (one.name !== 'signing key' || one.outcome !== 'notChecked') return one;
  return ok('signing key', 'the ledger took it for the account');
}

function checkAccount({ anchor }: Bundle, accounts: readonly string[] | null): Check {
  const { account } = anchor;
  if (accounts === null) {
    return notChecked('account', `no --account was given; it was anchored by ${account}`);
  }
  const foreign = `it was anchored by ${account}, which is none of the expected accounts`;
  return check('account', accounts.includes(account) ? null : foreign, `it is ${account}`);
}
