import type { CleanUp } from './clean-up.ts';
import { round } from './machine.ts';
import { appendMixedLog } from './mixed-log.ts';
import { newOrganisation } from './new-organisation.ts';
import { openBenchLog } from './open-bench-log.ts';
import { progress } from './progress.ts';

/** A log of a service in use with that many events, and how long it took to append them. */
export async function openFilledLog(cleanUp: CleanUp, events: number) {
  const log = await openBenchLog(cleanUp);
  const { store, pool } = log;
  const startedAt = performance.now();
  const onProgress = (appended: number) => progress(`appended ${appended} of ${events} events`);
  await appendMixedLog({ store, organisation: newOrganisation(), events, onProgress });
  const appendSeconds = round((performance.now() - startedAt) / 1_000, 1);
  await pool.query('VACUUM ANALYZE events');
  return { ...log, appendSeconds };
}
