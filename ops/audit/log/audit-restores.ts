import { streams } from '../../../src/domain/streams.ts';
import type { Findings } from '../findings/findings.ts';
import type { LogHistory } from '../history/log-history.ts';
import { type RestoreReport, restoresOf } from '../history/restores.ts';
import { wrongRestores } from '../history/wrong-restores.ts';

/**
 * Returns all restores of a log, and reports those that name earlier ones wrongly. Call it after the
 * rows were audited, so that a finding about a damaged event is its consequence.
 */
export function auditRestores(history: LogHistory, findings: Findings): readonly RestoreReport[] {
  const own = history.logId === null ? [] : [streams.log(history.logId)];
  for (const { position, what } of wrongRestores(history)) {
    const at = { in: 'references', position, column: 'data' } as const;
    findings.reportFault({ ...at, what }, { streams: own });
  }
  return restoresOf(history);
}
