import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check, notChecked, ok } from '../verifier/check/check.ts';
import { checkAddresses } from '../verifier/check/check-addresses.ts';
import { checkAttestation, isProvenByValidators } from '../verifier/check/check-attestation.ts';
import { checkChecksum } from '../verifier/check/check-checksum.ts';
import { checkCommitment } from '../verifier/check/check-commitment.ts';
import { checkIssuer, isStatedByIssuer } from '../verifier/check/check-issuer.ts';
import { checkTimestamp } from '../verifier/check/check-timestamp.ts';
import type { ReadKey } from '../verifier/log/note-key.ts';
import type { Policy } from '../verifier/log/policy.ts';
import { checkLog } from './check-log.ts';
import { checkOnLedger, type LedgerFinding } from './check-on-ledger.ts';
import { checkTimestampAuthority, type TimestampFinding } from './check-timestamp-authority.ts';
import { checkTransaction } from './check-transaction.ts';
import { checkValidation } from './check-validation.ts';
import { checkWitnesses } from './check-witnesses.ts';

/** Expected values, and the options of the checks. */
interface Against {
  /** SHA-256 of the file, lower-case hex; null if there is none to check. */
  readonly fileHash: string | null;
  /** Expected anchoring accounts; null if unknown. */
  readonly accounts: readonly string[] | null;
  readonly ledger: LedgerFinding;
  /** Known keys of the log; null if none is known. */
  readonly logKeys: readonly ReadKey[] | null;
  /** The verifier's own policy of witnesses; null without one. */
  readonly policy?: Policy | null;
  /**
   * Master keys (upper-case hex) of publishers of validator lists that are trusted besides the
   * well-known ones.
   */
  readonly validatorListKeys?: readonly string[];
  /** Keys of issuers that are trusted; default none. */
  readonly issuerKeys?: readonly ReadKey[];
  /** Signature of the time-stamp token; null if no certificates of authorities were named. */
  readonly timestamp?: TimestampFinding | null;
  /** Result of the comparison with the PDFs that were issued; none if nobody was asked. */
  readonly issued?: Check | null;
  /** True for a bundle from a certificate, whose printed pages may show anything. */
  readonly isPrinted?: boolean;
}

const named =
  'the names of organisation, workspace and file, file size and type, revision number, proof id and time of issue are';
const claims = `${named} claims. Nothing proves them: the author of the bundle may have made them up`;
const stated = `${named} stated by the issuer, who signed them: the line "issuer signature" names the key. Nothing else confirms them`;
const unchecked =
  'the printed pages were not compared with the bundle and may show other names and dates. Rely on these results, not on the pages. A digital signature of the PDF was not checked';

const asIssued =
  "the printed pages are as the issuer's log records them. They were not compared with the bundle: rely on these results";

/**
 * Runs each check of `checkNames` once, in that order. The check `pages` is for certificates only,
 * checks of validators for bundles with their signatures, checks of timestamps for bundles with a
 * token, `issuer signature` for bundles since version 6. `log witnesses` needs a policy. Fetches nothing. Never throws for a bundle that `readBundle`
 * has accepted.
 */
export function checkBundle(bundle: Bundle, against: Against): Check[] {
  const { fileHash, accounts, ledger, logKeys, policy = null } = against;
  const {
    validatorListKeys = [],
    issuerKeys = [],
    timestamp = null,
    issued = null,
    isPrinted = false,
  } = against;
  const onLedger = checkOnLedger(bundle, ledger);
  const attested = checkAttestation(bundle, validatorListKeys);
  const isAnchored =
    onLedger.every(({ outcome }) => outcome === 'ok') || isProvenByValidators(attested);
  const signed = checkIssuer(bundle, issuerKeys);
  return [
    checkChecksum(bundle),
    ...checkCommitment(bundle, fileHash),
    ...checkTransaction(bundle).map((one) => (isAnchored ? confirmedByLedger(one) : one)),
    ...checkValidation(bundle),
    checkAddresses(bundle),
    checkAccount(bundle, accounts),
    ...onLedger,
    ...attested,
    ...checkLog(bundle, logKeys),
    ...(policy === null ? [] : [checkWitnesses(bundle, policy)]),
    ...checkTimestamp(bundle),
    ...checkTimestampAuthority(bundle, timestamp),
    ...signed,
    ...(issued === null ? [] : [issued]),
    notChecked('statements', isStatedByIssuer(signed) ? stated : claims),
    ...(isPrinted ? [pagesOf(issued)] : []),
  ];
}

/** A validated ledger holds the transaction, so its key was allowed to sign for the account. */
function confirmedByLedger(one: Check): Check {
  if (one.name !== 'signing key' || one.outcome !== 'notChecked') return one;
  return ok(
    'signing key',
    'the validated ledger contains the transaction, so this key was allowed to sign for the account',
  );
}

/** Pages that the issuer recorded are the issuer's, but still no evidence. */
function pagesOf(issued: Check | null): Check {
  return notChecked('pages', issued?.outcome === 'ok' ? asIssued : unchecked);
}

function checkAccount({ anchor }: Bundle, accounts: readonly string[] | null): Check {
  const { account } = anchor;
  if (accounts === null) {
    const why = `the anchoring account is ${account}. It was not compared with the issuer's accounts: name them with --account`;
    return notChecked('account', why);
  }
  return check(
    'account',
    accounts.includes(account)
      ? null
      : `the anchoring account is ${account}, which is none of the expected accounts: somebody else may have made this proof`,
    `the anchoring account is ${account}, as expected`,
  );
}
