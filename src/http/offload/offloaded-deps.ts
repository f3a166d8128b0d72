import type { RequestProofDeps } from '../../commands/request-proof.ts';
import type { Network } from '../../domain/network.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import type { WebhookDeliveries } from '../../webhooks/contract.ts';
import type { AnswerWait } from '../within-wait.ts';

/** Dependencies of offloaded routes. A worker thread can create all of them. */
export interface OffloadedDeps
  extends Pick<ViewDeps, 'db' | 'store' | 'ledgers' | 'publicUrl'>,
    Pick<RequestProofDeps, 'newId' | 'randomBytes'>,
    AnswerWait {
  /** Network for new proofs. */
  readonly network: Network;
  readonly webhooks: Pick<WebhookDeliveries, 'list' | 'last'>;
}
