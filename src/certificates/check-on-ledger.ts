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
    const why = 'no ledger could be asked';
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
        : `${server} says that it is ${kind(standalone)}, the proof is of ${kind(anchor.standalone)}`,
      `${server} says that it is ${kind(standalone)}`,
    ),
    checkLedger(bundle, server, ledger),
    checkAnchored(bundle, ledger),
  ];
}

function checkLedger({ anchor }: Bundle, server: string, ledger: ValidatedLedger | null): Check {
  const { ledgerIndex, ledgerHash, closeTime, closeTimeIso } = anchor;
  const reason = () => {
    if (ledger === null) {
      return `${server} has no validated ledger ${ledgerIndex}: its history may begin later (ask one with full history), or the network was reset`;
    }
    if (ledger.index !== ledgerIndex || ledger.hash !== ledgerHash) {
      return `validated ledger ${ledger.index} has the hash ${ledger.hash}, the bundle says ${ledgerHash}`;
    }
    return ledger.closeTime === closeTime ? null : 'it closed at another time';
  };
  const detail = `${server} has it: ledger ${ledgerIndex}, with this hash, closed at ${closeTimeIso}`;
  return check('validated ledger', reason(), detail);
}

/** The blob covers account, memo and signature. The metadata cover result and index. */
function checkAnchored({ anchor, evidence }: Bundle, ledger: ValidatedLedger | null): Check {
  const name = 'anchored transaction';
  if (ledger === null) return notChecked(name, 'there is no ledger to look into');
  const held = ledger.transactions.find(({ hash }) => hash === anchor.transactionHash);
  const reason = () => {
    if (held === undefined) return 'the validated ledger does not hold the transaction';
    return same(held, evidence) ? null : 'the validated ledger holds it with other bytes';
  };
  return check(name, reason(), 'the validated ledger holds it, with the same metadata');
}

function same(held: LedgerTransaction, evidence: Bundle['evidence']): boolean {
  return held.blob === evidence.blob && held.metadata === evidence.metadata;
}
