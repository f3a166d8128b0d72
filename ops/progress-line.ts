/** Tells how far long work has come. */
export interface ProgressLine {
  /** `done` of `total`; a new `label` is another piece of work, whose rate begins anew. */
  update(label: string, done: number, total: number): void;
  /** A line of its own, about what has no number. */
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

/**
 * A bar with rate and estimated time on a terminal, drawn over and over on one line; elsewhere a
 * plain line now and then. Written to standard error, since standard output is for the result. The
 * rate is of the last ten seconds. `unit` is what is counted.
 */
export function openProgressLine(
  unit: string,
  options: {
    readonly stream?: NodeJS.WritableStream & {
      readonly isTTY?: boolean;
      readonly columns?: number;
    };
    readonly now?: () => number;
  } = {},
): ProgressLine {
  const { stream = process.stderr, now = () => performance.now() } = options;
  const isTerminal = stream.isTTY === true;
  let label: string | null = null;
  let samples: Sample[] = [];
  let shownAt = -Infinity;
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
    update(next, done, total) {
      const at = now();
      const isOther = next !== label;
      const isDone = done >= total && shownDone < done;
      if (isOther) {
        samples = [];
        shownDone = -1;
        // What was finished stays to be read.
        if (isOpen) stream.write('\n');
        isOpen = false;
      }
      label = next;
      samples = [...samples.filter((sample) => at - sample.at <= rateOverMs), { at, done }];
      const isDue = at - shownAt >= (isTerminal ? drawEveryMs : lineEveryMs);
      if (!(isOther || isDue || isDone)) return;
      shownAt = at;
      shownDone = done;
      const width = isTerminal ? (stream.columns ?? 80) - 1 : 0;
      show(lineOf({ label: next, done, total, unit, perSecond: rateOf(samples) }, width));
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
  readonly total: number;
  readonly unit: string;
  readonly perSecond: number | null;
}

/** With a bar as wide as there is room for in `width` characters. */
function lineOf({ label, done, total, unit, perSecond }: Shown, width: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const rate = perSecond === null ? '' : `, ${count(Math.round(perSecond))}/s`;
  const isOpen = perSecond !== null && perSecond > 0 && done < total;
  const left = isOpen ? `, ${duration((total - done) / perSecond)} left` : '';
  const percent = `${Math.floor(share * 100)} %`;
  const told = `${percent}, ${count(done)} of ${count(total)} ${unit}${rate}${left}`;
  const room = Math.min(widestBar, width - `${label} [] ${told}`.length);
  if (room < narrowestBar) return `${label} ${told}`;
  const filled = Math.round(share * room);
  return `${label} [${'#'.repeat(filled)}${'.'.repeat(room - filled)}] ${told}`;
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
