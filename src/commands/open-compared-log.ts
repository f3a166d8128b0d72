import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { compareLog } from './compare-log.ts';
import type { ComparedLog } from './compared-log.ts';
import { LogDiffers } from './log-differs.ts';
import { openLog } from './open-log.ts';

/**
 * Opens the log after it was compared with what was published of it: every process that appends
 * calls this before anything else, and appends nothing where it rejects. It rejects with `LogDiffers`,
 * and with `StorageUnavailable` where it is not known. Resolves with the log's id.
 */
export async function openComparedLog(
  deps: ComparedLog & { readonly store: EventStore; readonly newId: () => string },
  meta: EventMeta,
): Promise<string> {
  const finding = await compareLog(deps);
  if (finding.status !== 'agrees') throw new LogDiffers(finding);
  return openLog(deps, meta);
}
