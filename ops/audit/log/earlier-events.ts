import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { Findings } from '../findings/findings.ts';
import { type CopiedPage, rowAt } from '../rows/copied-row.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { RecordedTimes } from '../streams/recorded-times.ts';
import { StreamAudit } from '../streams/stream-audit.ts';
import { needs } from '../threads/needed-types.ts';

interface EarlierEventsOptions {
  readonly findings: Findings;
  /** Sizes of the checkpoints that later events anchor. */
  readonly sizes: ReadonlySet<number>;
  /** Number of events that are to be expected; default unknown. */
  readonly expected?: number;
}

/** Compares each event with the events before it: the version of its stream, its id and its time. */
export class EarlierEvents {
  readonly streams: StreamAudit;
  readonly #times: RecordedTimes;
  readonly #findings: Findings;

  constructor({ findings, sizes, expected }: EarlierEventsOptions) {
    this.#findings = findings;
    this.streams = new StreamAudit(findings, expected);
    this.#times = new RecordedTimes(Date.now(), sizes);
  }

  add(row: FoundRow): void {
    this.streams.add(row);
    this.#compareTime(row);
  }

  /** Adds the sound row at `index` of a page. */
  addSound(page: CopiedPage, index: number): void {
    if (!this.streams.addSound(page, index)) this.streams.add(rowAt(page, index));
    const position = page.positions[index] as number;
    const [at, closed] = [page.times[index] as number, page.closed[index] as number];
    const isKnown = ((page.needed[index] as number) & needs.closing) === 0;
    if (isKnown && this.#times.follows(position, at, closed)) return;
    this.#compareTime(rowAt(page, index));
  }

  #compareTime(row: EventRow): void {
    const wrong = this.#times.reasonAgainst(row);
    if (wrong === null) return;
    const { position, what } = wrong;
    this.#findings.reportFault({ in: 'events', position, column: 'recorded_at', what });
  }
}
