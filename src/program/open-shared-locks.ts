import { openWorkLocks, type WorkLocks } from '../subscriptions/work-locks.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';

/**
 * One connection for the locks of work done by one process: sweeping files, publishing the log, issuing
 * successors of certificates.
 */
export function openSharedLocks({ log, parts }: Program, { url }: Core): WorkLocks {
  const onLost = (err: Error) =>
    log.warn(
      { err },
      'lost the locks for sweeping files, publishing checkpoints and issuing successors of certificates; ' +
        'another process may take over',
    );
  const locks = openWorkLocks(url, { onLost });
  parts.add('work locks of the sweep, of publishing and of successors', () => locks.close());
  return locks;
}
