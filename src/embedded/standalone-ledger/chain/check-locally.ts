import { memoFault } from '../codec/memo-limits.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { hasValidSignature } from '../codec/verify-signature.ts';

const most = 10_000;

/**
 * Checks that need no ledger, made once per blob (rippled: checkValidity with its HashRouter). A
 * repeated failure has a shorter message than the first.
 */
export class LocalChecks {
  readonly #verdicts = new Map<string, 'good' | 'badSignature' | 'badContent'>();

  /** The fault in rippled's words; undefined if there is none. */
  fault(transaction: Transaction): string | undefined {
    const known = this.#verdicts.get(transaction.hash);
    if (known === 'good') return undefined;
    if (known === 'badSignature') return 'Transaction has bad signature.';
    if (known === 'badContent') return 'Local checks failed.';
    if (!hasValidSignature(transaction)) {
      this.#remember(transaction.hash, 'badSignature');
      return 'Invalid signature.';
    }
    const fault = memoFault(transaction.json);
    this.#remember(transaction.hash, fault === undefined ? 'good' : 'badContent');
    return fault;
  }

  #remember(hash: string, verdict: 'good' | 'badSignature' | 'badContent'): void {
    if (this.#verdicts.size >= most) this.#verdicts.clear();
    this.#verdicts.set(hash, verdict);
  }
}
