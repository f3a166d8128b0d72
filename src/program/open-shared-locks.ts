import { openWorkLocks, type WorkLocks } from '../subscriptions/work-locks.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';

/** One connection for the locks of what one process of all does: the sweep of files, the sealing. */
export function openSharedLocks({ log, parts }: Program, { url }: Core): WorkLocks {
  const onLost = (err: Error) => log.warn({ err }, 'the locks on sweeping and sealing were lost');
  const locks = openWorkLocks(url, { onLost });
  parts.add('work locks of the sweep and the sealer', () => locks.close());
  return locks;
}
