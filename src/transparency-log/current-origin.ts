import { originOf } from '../domain/log/origin.ts';
import { type LogReading, loadLog } from '../loading/load-log.ts';

/** The origin under which the log of this database publishes now. Rejects if no log was opened. */
export async function currentOrigin(store: LogReading): Promise<string> {
  const log = await loadLog(store);
  if (log === null) throw new Error('the log does not begin with LogOpened');
  return originOf(log.state);
}
