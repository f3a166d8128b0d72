import { printable } from '../terminal/printable.ts';
import type { Completed } from './complete-ledgers.ts';

/** Result of `ops ledger complete`. */
export interface Completion {
  readonly chains: readonly Completed[];
  /** Chains whose servers gave no answer. What was recorded before stays recorded. */
  readonly troubles: readonly string[];
  /** Maximum headers between a ledger and the validations that attest it. */
  readonly most: number;
  /** True if history is missing or contradicts the log. */
  readonly isAtFault: boolean;
}

const mostListed = 10;

/** Each line stands alone, with the consequence and the next action. */
export function completedInWords({ chains, troubles, most }: Completion): string {
  const lines = chains.flatMap(
    ({ ledgerId, completed, noneLater, tooFar, withoutHistory, faults }) => [
      ...(completed.length > 0
        ? [`${ledgerId}: ${ledgers(completed)} linked to attested ones`]
        : []),
      ...(noneLater.length > 0
        ? [
            `${ledgerId}: ${ledgersHave(noneLater)} no later attested ledger yet. Run the command again when the service has attested one`,
          ]
        : []),
      ...(tooFar.length > 0
        ? [
            `${ledgerId}: ${ledgersHave(tooFar)} no attested ledger within the next ${most} ledgers. Their proofs can still be verified with a server of the ledger`,
          ]
        : []),
      ...(withoutHistory.length > 0
        ? [
            `${ledgerId}: no server has the history of ${ledgers(withoutHistory)}. Name a server that has it with --ledger`,
          ]
        : []),
      ...faults.slice(0, mostListed).map((fault) => `${ledgerId}: FAULT: ${fault}`),
      ...(faults.length > mostListed
        ? [`${ledgerId}: ${faults.length - mostListed} more faults; run ops audit verify --ledger`]
        : []),
    ],
  );
  const stopped = troubles.map(
    (trouble) => `${trouble}. Ledgers that were linked before stay linked; run the command again`,
  );
  const all = [...lines, ...stopped];
  return all.length === 0
    ? 'nothing to complete: every older ledger with a transaction of this service is attested'
    : all.map(printable).join('\n');
}

/** A number of ledgers, with the first and the last index. */
function ledgers(descending: readonly number[]): string {
  const [newest, oldest] = [descending[0], descending.at(-1)];
  return descending.length === 1
    ? `ledger ${newest}`
    : `${descending.length} ledgers (${oldest} to ${newest})`;
}

function ledgersHave(descending: readonly number[]): string {
  return `${ledgers(descending)} ${descending.length === 1 ? 'has' : 'have'}`;
}
