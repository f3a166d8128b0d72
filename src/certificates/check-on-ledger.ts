import type { LedgerTransaction, ValidatedLedger } from '../ledger/contract.ts';
import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, check, failed, notChecked } from '../verifier/check/check.ts';

/** Answer of a server of the XRP Ledger, or the reason why there is no trustworthy answer. */
export type LedgerFinding =
  | { readonly asked: false; readonly why: string }
  | { readonly asked: true; readonly reached: false; readonly why: string }
  | {
      readonly asked: true;
      readonly reached: true;
      readonly server: string;
      readonly standalone: boolean;
      /** Validated ledger with the bundle's index; null if the server has none. */
      readonly ledger: ValidatedLedger | null;
    };

/**
 * Checks that a validated ledger holds the transaction. The server must be of the bundle's network
 * by its network_id. The check fails if the server was asked but does not return the ledger.
 */
export function checkOnLedger(bundle: Bundle, finding: LedgerFinding): Check[] {
  if (!finding.asked) {
    return [
      notChecked('network', finding.why),
      notChecked('validated ledger', finding.why),
      notChecked('anchored transaction', finding.why),
    ];
  }
  if (!finding.reached) {
    const why = 'no server could be asked: the check "network" gives the reason';
    return [
      failed('network', finding.why),
      notChecked('validated ledger', why),
      notChecked('anchored transaction', why),
    ];
  }
  const { anchor } = bundle;
  const { server, standalone, ledger } = finding;
  const kind = (isStandalone: boolean) =>
    isStandalone ? 'a standalone ledger for development' : `the public ${anchor.network}`;
  return [
    check(
      'network',
      standalone === anchor.standalone
        ? null
        : `${server} reports that it serves ${kind(standalone)}, but the bundle states ${kind(anchor.standalone)}`,
      `${server} reports that it serves ${kind(standalone)}`,
    ),
    checkLedger(bundle, server, ledger),
    checkAnchored(bundle, ledger),
  ];
}

function checkLedger({ anchor }: Bundle, server: string, ledger: ValidatedLedger | null): Check {
  const { ledgerIndex, ledgerHash, closeTime, closeTimeIso } = anchor;
  const reason = () => {
    if (ledger === null) {
      return `${server} does not have validated ledger ${ledgerIndex}: its history may begin later, or the network was reset. Ask a server with full history`;
    }
    if (ledger.index !== ledgerIndex || ledger.hash !== ledgerHash) {
      return `validated ledger ${ledger.index} has the hash ${ledger.hash}, but ledger ${ledgerIndex} with the hash ${ledgerHash} is stated`;
    }
    return ledger.closeTime === closeTime
      ? null
      : 'the validated ledger closed at another time than stated';
  };
  const detail = `${server} has validated ledger ${ledgerIndex}, with the stated hash. It closed at ${closeTimeIso}`;
  return check('validated ledger', reason(), detail);
}

/** The blob covers account, memo and signature. The metadata cover result and index. */
function checkAnchored({ anchor, evidence }: Bundle, ledger: ValidatedLedger | null): Check {
  const name = 'anchored transaction';
  if (ledger === null)
    return notChecked(
      name,
      'the transaction cannot be looked up, because the server does not have the validated ledger',
    );
  const held = ledger.transactions.find(({ hash }) => hash === anchor.transactionHash);
  const reason = () => {
    if (held === undefined) return 'the validated ledger does not contain the transaction';
    return same(held, evidence)
      ? null
      : 'the validated ledger contains the transaction, but with other data or metadata than stated';
  };
  return check(
    name,
    reason(),
    'the validated ledger contains the transaction, with the same data and metadata',
  );
}

function same(held: LedgerTransaction, evidence: Bundle['evidence']): boolean {
  return held.blob === evidence.blob && held.metadata === evidence.metadata;
}
