import { matches } from './matches.ts';
import { OrganisationModel } from './organisation-model.ts';
import type { ProofChange } from './proof-fact.ts';
import type { RecordedCall } from './recorded-call.ts';

/**
 * Moment of a call in the log. A number counts the changes of the organisation that the answer may
 * include.
 */
export interface Placed {
  /** Least number: earlier calls showed these changes. */
  readonly from: number;
  /** Largest number: later changes were not recorded yet when the answer came. */
  readonly to: number;
  /** Least number from `from` to `to` that gives this answer; null if none does. */
  readonly at: number | null;
}

/** Clocks of processes on one machine, and the rounding to milliseconds. */
const clockSlackMs = 50;
/** Anomalies after which the rest of a history is not looked at. */
const mostAnomalies = 50;

/**
 * Finds a moment in the log for each call of one organisation. A call's moment is not before the
 * moment of any call that was answered before it began. Choosing the least moment for each call, in
 * the order of the log, finds such moments whenever they exist.
 *
 * The cost is that of one fold of the log and of comparing each answer at the few moments between
 * `from` and `to`. Each anomaly costs one more such fold: the others are judged without that call.
 */
export function placeCalls(
  calls: readonly RecordedCall[],
  changes: readonly ProofChange[],
): ReadonlyMap<RecordedCall, Placed> {
  const latest = latestMoments(changes);
  const telling = calls.filter(({ answer }) => answer.kind !== 'nothing');
  const impossible = new Map<RecordedCall, Placed>();
  for (;;) {
    const sweep = new Sweep(
      telling.filter((call) => !impossible.has(call)),
      changes,
      latest,
    );
    const failed = sweep.run();
    if (failed !== null) impossible.set(...failed);
    if (failed === null || impossible.size >= mostAnomalies) {
      return new Map([...sweep.placed, ...impossible]);
    }
  }
}

/** For each number of changes: the earliest time by which they can be seen, in ascending order. */
function latestMoments(changes: readonly ProofChange[]): readonly number[] {
  const times = changes.map(({ at }) => at);
  for (let index = times.length - 2; index >= 0; index -= 1) {
    times[index] = Math.min(times[index] ?? 0, times[index + 1] ?? 0);
  }
  return times;
}

class Sweep {
  readonly placed = new Map<RecordedCall, Placed>();
  readonly #changes: readonly ProofChange[];
  readonly #latest: readonly number[];
  readonly #byInvocation: readonly RecordedCall[];
  readonly #byAnswer: readonly RecordedCall[];
  readonly #model: OrganisationModel;
  /** Calls that have begun and have no moment yet, with their first and last possible moment. */
  readonly #open = new Map<RecordedCall, { readonly from: number; readonly to: number }>();
  #begun = 0;
  #ended = 0;

  constructor(
    calls: readonly RecordedCall[],
    changes: readonly ProofChange[],
    latest: readonly number[],
  ) {
    this.#changes = changes;
    this.#latest = latest;
    this.#byInvocation = calls.toSorted((one, other) => one.invokedAt - other.invokedAt);
    this.#byAnswer = calls.toSorted((one, other) => one.answeredAt - other.answeredAt);
    this.#model = new OrganisationModel(listRequestsOf(calls));
  }

  /** Returns the first call without a possible moment; null if every call has one. */
  run(): readonly [RecordedCall, Placed] | null {
    for (let moment = 0; moment <= this.#changes.length; moment += 1) {
      const change = this.#changes[moment - 1];
      if (change !== undefined) this.#model.apply(change);
      // Each call that gets a moment may allow others to begin.
      do {
        this.#begin(moment);
        for (const [call, { from, to }] of this.#open) {
          if (matches(call, this.#model)) {
            this.placed.set(call, { from, to, at: moment });
            this.#open.delete(call);
          } else if (moment >= to) {
            return [call, { from, to, at: null }];
          }
        }
      } while (this.#canBegin());
    }
    return null;
  }

  #canBegin(): boolean {
    const next = this.#byInvocation[this.#begun];
    if (next === undefined) return false;
    for (;;) {
      const first = this.#byAnswer[this.#ended];
      if (first === undefined || !this.placed.has(first)) {
        return first === undefined || first.answeredAt >= next.invokedAt;
      }
      this.#ended += 1;
    }
  }

  #begin(moment: number): void {
    while (this.#canBegin()) {
      const call = this.#byInvocation[this.#begun];
      if (call === undefined) return;
      this.#begun += 1;
      const to = Math.max(moment, countUntil(this.#latest, call.answeredAt + clockSlackMs));
      this.#open.set(call, { from: moment, to });
    }
  }
}

export function listRequestsOf(calls: readonly RecordedCall[]) {
  return calls.flatMap(({ request }) => (request.kind === 'list' ? [request] : []));
}

/** Number of ascending times that are not after `time`. */
function countUntil(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
