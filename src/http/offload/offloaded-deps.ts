import type { KnownLedgers } from '../../views/known-ledgers.ts';
import type { Services } from '../services.ts';

/** Dependencies of offloaded routes. A worker thread can create all of them. */
export interface OffloadedDeps
  extends Pick<Services, 'db' | 'store' | 'publicUrl' | 'answerWaitMs'> {
  readonly ledgers: KnownLedgers;
  readonly webhooks: Pick<Services['webhooks'], 'list'>;
}
