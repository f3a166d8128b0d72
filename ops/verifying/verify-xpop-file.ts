import { bytesToHex } from '@noble/hashes/utils.js';
import { closeTimeIso } from '../../src/domain/ledger/close-time.ts';
import { BadEvidence } from '../../src/verifier/evidence/bad-evidence.ts';
import { transactionHash } from '../../src/verifier/evidence/transaction-path.ts';
import { readXpop } from '../../src/verifier/xpop/read-xpop.ts';
import { verifyXpop, type XpopFinding } from '../../src/verifier/xpop/verify-xpop.ts';

/** The verdict on an XPOP, for people and programs. */
export interface XpopVerdict {
  readonly proven: boolean;
  readonly conclusion: string;
  /** Null if nothing is proven. Hashes and keys are upper-case hex. */
  readonly finding: {
    readonly transactionHash: string;
    readonly ledgerIndex: number;
    readonly ledgerHash: string;
    readonly closeTimeIso: string;
    readonly publisherKey: string;
    readonly listSequence: number;
    readonly listed: number;
    readonly needed: number;
    readonly counted: number;
  } | null;
}

/** Verifies an XPOP (XLS-41) against the master keys of trusted publishers, upper-case hex. */
export function verdictOnXpop(text: string, publisherKeys: readonly string[]): XpopVerdict {
  try {
    return accepted(verifyXpop(readXpop(text), publisherKeys));
  } catch (error) {
    if (!(error instanceof BadEvidence)) throw error;
    const conclusion = `NOT PROVEN: ${error.message}. Do not rely on this proof.`;
    return { proven: false, conclusion, finding: null };
  }
}

function accepted({
  ledger,
  transaction,
  list,
  listed,
  needed,
  counted,
}: XpopFinding): XpopVerdict {
  const finding = {
    transactionHash: upperHex(transactionHash(transaction.blob)),
    ledgerIndex: ledger.index,
    ledgerHash: ledger.hash.toUpperCase(),
    closeTimeIso: closeTimeIso(ledger.closeTime),
    publisherKey: list.publisherKey,
    listSequence: list.sequence,
    ...{ listed, needed, counted: counted.length },
  };
  const conclusion =
    `Proven: transaction ${finding.transactionHash} is in ledger ${ledger.index}, which closed at ` +
    `${finding.closeTimeIso}. ${counted.length} of the ${listed} validators of list ${list.sequence} ` +
    `by ${list.publisherKey} signed this ledger; ${needed} are needed. You rely on this publisher to name ` +
    'validators that do not lie together.';
  return { proven: true, conclusion, finding };
}

function upperHex(bytes: Uint8Array): string {
  return bytesToHex(bytes).toUpperCase();
}
