import type { z } from 'zod';
import type { Delivery } from '../../webhooks/contract.ts';
import type { deliveryData } from './webhook-schema.ts';

/** A delivery under both names of its id: the one of every resource, and the one of its path. */
export function viewDelivery({ id, ...delivery }: Delivery): z.output<typeof deliveryData> {
  return { id, deliveryId: id, ...delivery };
}
