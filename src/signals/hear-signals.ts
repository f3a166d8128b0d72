/** Ctrl-C may arrive twice within this time, also through npm; a later repetition means "now". */
const repeatMs = 1_000;

const endingSignals = ['SIGINT', 'SIGTERM'] as const;
export type EndingSignal = (typeof endingSignals)[number];

interface Hearer {
  /** Start of the end, by `performance.now()`; null while the program goes on. */
  readonly endingSince: () => number | null;
  /** Called at a signal while the program goes on. */
  readonly onFirst: (signal: EndingSignal) => void;
  /** Exit code when the program ends at once. */
  readonly codeAtOnce: (signal: EndingSignal) => number;
}

/**
 * Hears SIGINT and SIGTERM until the result is called. Exits at once when a signal comes later than
 * the repetition of the one that began the end.
 */
export function hearSignals({ endingSince, onFirst, codeAtOnce }: Hearer): () => void {
  const handlers = endingSignals.map((signal) => {
    const handle = () => {
      const since = endingSince();
      if (since === null) onFirst(signal);
      else if (performance.now() - since > repeatMs) process.exit(codeAtOnce(signal));
    };
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}
