import { z } from 'zod';
import type { OwnWebhook } from '../../../loading/load-webhook.ts';
import { deliveryId, webhookId } from '../../fields.ts';
import { parseInput } from '../../input.ts';
import type { ViewRequest } from '../console-route.ts';

const webhookParams = { schema: z.object({ id: webhookId }) };

/** Path of a delivery to an endpoint. */
export const deliveryParams = { schema: z.object({ id: webhookId, deliveryId }) };

/** The endpoint of the path, if it is one of the viewer's organisation. */
export function ownWebhook({ viewer, params }: Pick<ViewRequest, 'viewer' | 'params'>): OwnWebhook {
  const { id } = parseInput(webhookParams, params);
  return { organisationId: viewer.organisation.organisationId, webhookId: id };
}
