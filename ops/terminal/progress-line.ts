/** Shows the progress of long work. */
export interface ProgressLine {
  /**
   * Shows `done` of `total`, or `done` alone if the total is unknown (null). A new `label` starts a
   * new line and a new rate. `unit` names the counted items, if they are others than those of the line.
   */
  update(label: string, done: number, total: number | null, unit?: string): void;
  /** Writes a line of its own, for steps without a number. */
  say(text: string): void;
  end(): void;
}

interface Sample {
  readonly at: number;
  readonly done: number;
}

const drawEveryMs = 100;
const lineEveryMs = 5_000;
const rateOverMs = 10_000;
const widestBar = 24;
const narrowestBar = 4;

export interface ProgressLineOptions {
  readonly stream?: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
  };
  readonly now?: () => number;
  /**
   * True for a single line for all labels: a new label rewrites it. Elsewhere than on a terminal nothing
   * but the interval makes it print.
   */
  readonly isSingle?: boolean;
}

/**
 * On a terminal, a bar with rate and estimated time, redrawn on one line; elsewhere a plain line
 * now and then. Written to standard error, since standard output is for the result. The rate covers
 * the last ten seconds. `unit` names the counted items.
 */
export function openProgressLine(unit: string, options: ProgressLineOptions = {}): ProgressLine {
  const { stream = process.stderr, now = () => performance.now(), isSingle = false } = options;
  const isTerminal = stream.isTTY === true;
  const isSparse = isSingle && !isTerminal;
  let label: string | null = null;
  let samples: Sample[] = [];
  let shownAt = isSparse ? now() : -Infinity;
  let shownDone = -1;
  let isOpen = false;

  const show = (text: string) => {
    if (!isTerminal) {
      stream.write(`${text}\n`);
      return;
    }
    const fitting = text.slice(0, (stream.columns ?? 80) - 1);
    stream.write(`\r${fitting}\u001b[K`);
    isOpen = true;
  };

  return {
    update(next, done, total, of = unit) {
      const at = now();
      const isOther = next !== label;
      const isDone = total !== null && done >= total && shownDone < done;
      if (isOther) {
        samples = [];
        shownDone = -1;
        // Keep the finished line visible.
        if (isOpen && !isSingle) stream.write('\n');
        isOpen &&= isSingle;
        // Without a total, the first item says nothing.
        if (total === null && !isSparse) shownAt = at;
      }
      label = next;
      samples = [...samples.filter((sample) => at - sample.at <= rateOverMs), { at, done }];
      const isDue = at - shownAt >= (isTerminal ? drawEveryMs : lineEveryMs);
      const isFirst = isOther && total !== null;
      if (!isDue && (isSparse || !(isFirst || isDone))) return;
      shownAt = at;
      shownDone = done;
      const width = isTerminal ? (stream.columns ?? 80) - 1 : 0;
      show(lineOf({ label: next, done, total, unit: of, perSecond: rateOf(samples) }, width));
    },
    say(text) {
      if (isOpen) stream.write('\n');
      isOpen = false;
      label = null;
      stream.write(`${text}\n`);
    },
    end() {
      if (isOpen) stream.write('\n');
      isOpen = false;
    },
  };
}

interface Shown {
  readonly label: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit: string;
  readonly perSecond: number | null;
}

/** Formats the line with the widest bar that fits into `width` characters. */
function lineOf({ label, done, total, unit, perSecond }: Shown, width: number): string {
  const rate = perSecond === null ? '' : `, ${count(Math.round(perSecond))}/s`;
  if (total === null) return `${label} ${count(done)} ${unit}${rate}`;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const isOpen = perSecond !== null && perSecond > 0 && done < total;
  const left = isOpen ? `, ${duration((total - done) / perSecond)} left` : '';
  const percent = `${Math.floor(share * 100)} %`;
  const progress = `${percent}, ${count(done)} of ${count(total)} ${unit}${rate}${left}`;
  const room = Math.min(widestBar, width - `${label} [] ${progress}`.length);
  if (room < narrowestBar) return `${label} ${progress}`;
  const filled = Math.round(share * room);
  return `${label} [${'#'.repeat(filled)}${'.'.repeat(room - filled)}] ${progress}`;
}

function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < 200) return null;
  return ((last.done - first.done) / (last.at - first.at)) * 1_000;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
