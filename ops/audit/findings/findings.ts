import { describe } from '../../../src/errors/describe.ts';
import { errorMessage } from '../../terminal/error-message.ts';
import { type Cause, Causes, type DamagedNames, type Related } from './causes.ts';
import {
  type AuditedPart,
  type Fault,
  faultInWords,
  type ReportLost,
  type Unchecked,
} from './fault.ts';
import { Listed } from './listed.ts';
import { adviceFor, isOutOfReach } from './out-of-reach.ts';

/** A step of an audit that may fail by itself. */
interface Attempted {
  readonly in: AuditedPart;
  readonly position?: number;
  readonly column?: string;
  /** Subject of the sentence that states the failure. */
  readonly what: string | (() => string);
}

/** Numbers of the comparisons that an audit has made. */
export interface Compared {
  /** Published checkpoints whose root was compared with the events. */
  listedCheckpoints: number;
  /** Cosignatures of witnesses for listed checkpoints. */
  cosignatures: number;
  /** Anchored proofs whose recorded evidence was compared. */
  proofs: number;
  /** Among them, those compared with a validated ledger. */
  proofsOnLedger: number;
  anchoredCheckpoints: number;
  /** Time-stamp tokens whose checkpoint and times were compared. */
  timestamps: number;
  attestedLedgers: number;
  /** Commitments recomputed from hash and nonce. */
  commitments: number;
  readModels: number;
  /** Proofs whose memo was not compared: their transaction is encrypted, and no ledger was asked. */
  hiddenMemos: number;
}

const mostCharacters = 1_000;
/** Greatest number of consequences listed for each fault. */
const mostConsequences = 20;

/**
 * Collects the findings of an audit. The counts are exact; the lists are bounded, so that a million
 * faults need no more memory than a thousand.
 */
export class Findings {
  readonly #faults = new Listed<Fault>();
  readonly #unchecked = new Listed<Unchecked>();
  readonly #lost = new Listed<string>();

  readonly #causes = new Causes();
  /** Counts of what was compared. */
  readonly compared: Compared = {
    ...{
      listedCheckpoints: 0,
      cosignatures: 0,
      proofs: 0,
      proofsOnLedger: 0,
      anchoredCheckpoints: 0,
    },
    ...{ timestamps: 0, attestedLedgers: 0, commitments: 0, readModels: 0, hiddenMemos: 0 },
  };
  readonly #hasDatabase: boolean;
  /** First of the roots that differ, until a root agrees again. */
  #wrongRoot: Fault | null = null;
  readonly #firsts = new Map<string, Fault>();

  /** @param hasDatabase false: the auditor gave an export, so no failure is one of the database */
  constructor({ hasDatabase = true }: { readonly hasDatabase?: boolean } = {}) {
    this.#hasDatabase = hasDatabase;
  }

  /**
   * Reports a fault, or a consequence if the fault follows from a damaged event. Returns the fault
   * that is listed.
   */
  readonly reportFault = (fault: Fault, related: Related = {}): Fault => {
    const isFirst = fault.in === 'events' || fault.in === 'log_head' || fault.in === 'tiles';
    const cause = isFirst ? null : this.#causes.find({ position: fault.position, ...related });
    if (cause !== null) return this.addConsequence(cause.fault, fault);
    const listed = { ...fault, what: shorten(fault.what) };
    this.#faults.add(fault.in, listed, fault.times);
    return listed;
  };

  /** Reports a damaged or missing event. Later findings that follow from it are consequences. */
  reportCause(
    fault: Fault,
    names: DamagedNames,
    types: Cause['types'] = null,
    related: Related = {},
  ): Cause {
    const cause = { fault: this.reportFault(fault, related), types };
    this.#causes.add(cause, names);
    return cause;
  }

  /** The stream of a damaged or missing event became known. */
  nameStream(cause: Cause, stream: string): void {
    this.#causes.addStream(cause, stream);
  }

  /** Nothing became known about a missing event. */
  leaveUnnamed(cause: Cause): void {
    this.#causes.addUnnamed(cause);
  }

  /**
   * Reports a checkpoint whose root differs. Later ones that differ follow from the same change,
   * until a root agrees.
   */
  reportWrongRoot(fault: Fault): void {
    if (this.#wrongRoot === null) this.#wrongRoot = this.reportFault(fault);
    else this.addConsequence(this.#wrongRoot, fault);
  }

  /** Reports a fault that others of the same kind are likely to follow from the same change. */
  reportOnce(kind: string, fault: Fault, related: Related = {}): void {
    const first = this.#firsts.get(kind);
    if (first === undefined) this.#firsts.set(kind, this.reportFault(fault, related));
    else this.addConsequence(first, fault);
  }

  rootAgrees(): void {
    this.#wrongRoot = null;
  }

  /** Adds a finding to the fault that it follows from. Returns that fault. */
  addConsequence(fault: Fault, { times = 1, ...following }: Fault, isShown = true): Fault {
    const { count, first } = fault.consequences ?? { count: 0, first: [] };
    const isListed = isShown && first.length < mostConsequences;
    const inWords = isListed ? [shorten(faultInWords(following))] : [];
    return change(fault, { consequences: { count: count + times, first: [...first, ...inWords] } });
  }

  /** Changes a reported fault after more is known about it. */
  amend(fault: Fault, changes: Partial<Pick<Fault, 'column' | 'what'>>): void {
    const what = shorten(changes.what ?? fault.what);
    change(fault, { ...changes, what });
  }

  /** Takes back a fault that has turned out to follow from another one. */
  withdraw(fault: Fault, because: Fault): void {
    this.#faults.remove(fault.in, fault, fault.times);
    const { count = 0, first = [] } = fault.consequences ?? {};
    const before = because.consequences ?? { count: 0, first: [] };
    if (count === 0) return;
    const all = [...before.first, ...first].slice(0, mostConsequences);
    change(because, { consequences: { count: before.count + count, first: all } });
  }

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
      counts: Object.fromEntries(
        [...this.#faults.counts].filter(([, count]) => count > 0),
      ) as Partial<Record<AuditedPart, number>>,
      compared: this.compared,
      lostCount: this.#lost.count,
      uncheckedCount: this.#unchecked.count,
    };
  }

  #fail({ in: part, position, column, what }: Attempted, error: unknown): void {
    const at = { in: part, position: position ?? null, column: column ?? null };
    const subject = typeof what === 'string' ? what : what();
    const reason = this.#hasDatabase ? errorMessage(error) : describe(error);
    if (isOutOfReach(error)) {
      const advice = this.#hasDatabase ? adviceFor(error) : '';
      this.reportUnchecked({ ...at, what: `${subject}: ${reason}${advice}` });
    } else this.reportFault({ ...at, what: `${subject} cannot be checked: ${reason}` });
  }
}

export type AuditReport = ReturnType<Findings['report']>;

/** A listed fault changes in its place. */
function change(fault: Fault, changes: Partial<Fault>): Fault {
  return Object.assign(fault, changes);
}

/** Values of columns may be of any length. */
function shorten(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
}
