import { FairLine } from '../../domain/fair-line.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { RetriesBusy } from './retries-busy.ts';

/**
 * Line of calls that send all failed deliveries again. Each holds a connection to the database while
 * it needs another one.
 */
export interface RetryLine {
  /**
   * Runs the work of one organisation at a time, and of few at once. Organisations take turns. Rejects
   * with `RetriesBusy`, and does not start the work, if its turn does not come in time.
   */
  run<Result>(organisationId: OrganisationId, work: () => Promise<Result>): Promise<Result>;
}

/** Creates the line of a process. `patienceMs`: the longest wait for a turn. */
export function createRetryLine({ atOnce = 2, patienceMs = 5_000 } = {}): RetryLine {
  const line = new FairLine<() => void>();
  const running = new Set<OrganisationId | null>();
  const startNext = () => {
    while (running.size < atOnce) {
      const start = line.next((organisationId) => !running.has(organisationId));
      if (start === undefined) return;
      start();
    }
  };
  return {
    async run(organisationId, work) {
      await new Promise<void>((resolve, reject) => {
        const start = () => {
          clearTimeout(timer);
          running.add(organisationId);
          resolve();
        };
        const giveUp = () => {
          line.leave(organisationId, start);
          reject(new RetriesBusy(`another call was not over after ${patienceMs} ms`));
        };
        const timer = setTimeout(giveUp, patienceMs);
        line.join(organisationId, start);
        startNext();
      });
      try {
        return await work();
      } finally {
        running.delete(organisationId);
        startNext();
      }
    },
  };
}
