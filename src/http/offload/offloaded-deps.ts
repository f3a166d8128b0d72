import type { ViewDeps } from '../../views/view-deps.ts';
import type { WebhookDeliveries } from '../../webhooks/contract.ts';
import type { AnswerWait } from '../within-wait.ts';

/** Dependencies of offloaded routes. A worker thread can create all of them. */
export interface OffloadedDeps
  extends Pick<ViewDeps, 'db' | 'store' | 'ledgers' | 'publicUrl'>,
    AnswerWait {
  readonly webhooks: Pick<WebhookDeliveries, 'list'>;
}
