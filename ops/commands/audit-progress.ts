import { openProgressLine, type ProgressLineOptions } from '../terminal/progress-line.ts';

/** Shows the progress of an audit. */
export interface AuditProgress {
  /** Events of the log that were verified; `head` is null if their number is unknown. */
  onPosition(position: number, head: number | null): void;
  /** Events folded into read models, all of them together. */
  onFolded(folded: number, total: number): void;
  /** Stored files that were read. */
  onFile(count: number): void;
  end(): void;
}

/** One line for the whole audit: rewritten on a terminal, and elsewhere written every few seconds. */
export function openAuditProgress(
  options: Omit<ProgressLineOptions, 'isSingle'> = {},
): AuditProgress {
  const line = openProgressLine('events', { ...options, isSingle: true });
  return {
    onPosition: (position, head) => line.update('verifying', position, head),
    onFolded: (folded, total) => line.update('folding read models', folded, total),
    onFile: (count) => line.update('reading', count, null, 'files'),
    end: () => line.end(),
  };
}
