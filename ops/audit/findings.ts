import { errorMessage } from '../terminal/error-message.ts';
import type { AuditedPart, Fault, ReportFault, ReportLost, Unchecked } from './fault.ts';
import { adviceFor, isOutOfReach } from './out-of-reach.ts';

/** A step of an audit that may fail by itself. */
interface Attempted {
  readonly in: AuditedPart;
  readonly position?: number;
  readonly column?: string;
  /** Subject of the sentence that states the failure. */
  readonly what: string | (() => string);
}

/** Greatest number of findings listed for each part of the log. */
const mostListed = 1_000;
const mostCharacters = 1_000;

/**
 * Collects the findings of an audit. The counts are exact; the lists are bounded, so that a million
 * faults need no more memory than a thousand.
 */
export class Findings {
  readonly #faults = new Listed<Fault>();
  readonly #unchecked = new Listed<Unchecked>();
  readonly #lost = new Listed<string>();

  readonly reportFault: ReportFault = (fault) => {
    this.#faults.add(fault.in, { ...fault, what: shorten(fault.what) }, fault.times);
  };

  readonly reportUnchecked = (unchecked: Unchecked): void => {
    this.#unchecked.add(unchecked.in, { ...unchecked, what: shorten(unchecked.what) });
  };

  readonly reportLost: ReportLost = (what) => {
    this.#lost.add('lost', shorten(what));
  };

  /**
   * Runs a step of the audit. An error ends this step alone, and `otherwise` is returned. The error
   * becomes a fault, or an unchecked item if a resource could not be reached.
   */
  async attempt<Result, Otherwise>(
    attempted: Attempted,
    work: () => Result | Promise<Result>,
    otherwise: Otherwise,
  ): Promise<Result | Otherwise> {
    try {
      return await work();
    } catch (error) {
      this.#fail(attempted, error);
      return otherwise;
    }
  }

  /** Faults and items that could not be checked. */
  get count(): number {
    return this.#faults.count + this.#unchecked.count;
  }

  /** Findings so far. */
  report() {
    return {
      count: this.#faults.count,
      faults: this.#faults.items,
      lost: this.#lost.items,
      unchecked: this.#unchecked.items,
      /** Faults by part of the log, also those that are not listed. */
      counts: Object.fromEntries(this.#faults.counts) as Partial<Record<AuditedPart, number>>,
      lostCount: this.#lost.count,
      uncheckedCount: this.#unchecked.count,
    };
  }

  #fail({ in: part, position, column, what }: Attempted, error: unknown): void {
    const at = { in: part, position: position ?? null, column: column ?? null };
    const subject = typeof what === 'string' ? what : what();
    const reason = errorMessage(error);
    if (isOutOfReach(error)) {
      this.reportUnchecked({ ...at, what: `${subject}: ${reason}${adviceFor(error)}` });
    } else this.reportFault({ ...at, what: `${subject} cannot be checked: ${reason}` });
  }
}

export type AuditReport = ReturnType<Findings['report']>;

/** Keeps the first items of each kind, and counts all items. */
class Listed<Item> {
  readonly items: Item[] = [];
  readonly counts = new Map<string, number>();
  readonly #listed = new Map<string, number>();

  get count(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  add(kind: string, item: Item, times = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + times);
    const listed = this.#listed.get(kind) ?? 0;
    if (listed >= mostListed) return;
    this.#listed.set(kind, listed + 1);
    this.items.push(item);
  }
}

/** Values of columns may be of any length. */
function shorten(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
}
