import type { z } from 'zod';
import type { deliveryData, WebhookData } from './webhook-schema.ts';

export const delivery: z.output<typeof deliveryData> = {
  id: '01M7XT8A2B3C4D5E6F7G8H9J0K',
  deliveryId: '01M7XT8A2B3C4D5E6F7G8H9J0K',
  type: 'proof.completed',
  status: 'delivered',
  createdAt: '2026-11-21T01:06:32.105Z',
  attempts: 1,
  lastAttemptAt: '2026-11-21T01:06:32.318Z',
  nextAttemptAt: null,
  responseStatus: 204,
  error: null,
  durationMs: 87,
};

export const webhookOrder = {
  url: 'https://example.org/hooks/proofmark',
  events: ['proof.completed', 'upload.failed'],
  description: 'archive',
} as const;

export const webhook: WebhookData = {
  ...webhookOrder,
  events: [...webhookOrder.events],
  id: '01M7XT7Z9Y8X7W6V5T4S3R2Q1P',
  status: 'active',
  createdAt: '2026-11-21T01:05:00.000Z',
  disabledAt: null,
  lastDelivery: delivery,
};

export const newWebhook: WebhookData = { ...webhook, lastDelivery: null };

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw5nDXT9Gs2KQ=';
