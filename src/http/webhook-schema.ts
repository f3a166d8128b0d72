import { z } from 'zod';
import { webhookEventKinds } from '../domain/webhook/event-kind.ts';
import type { DeliveryStatus } from '../webhooks/contract.ts';
import { text } from './fields.ts';

const eventKind = z.enum(webhookEventKinds);

/** What the owner of an endpoint says of it. */
export const webhookUrl = text(2_048).meta({
  format: 'uri',
  description: 'https, without credentials, on a host with a public address',
});
export const webhookKinds = z
  .array(eventKind)
  .min(1, { error: 'must name at least one kind of event' })
  .meta({ description: 'one that is named twice counts once' });
export const webhookDescription = text(255);

export const webhookStatus = z.enum(['active', 'disabled']);

const deliveryStatus = z.enum([
  'pending',
  'delivered',
  'failed',
  'held',
] as const satisfies readonly DeliveryStatus[]);

export const deliveryData = z.object({
  id: z.string().meta({ description: 'the header webhook-id, the same at every attempt' }),
  type: eventKind,
  status: deliveryStatus.meta({
    description: 'failed: given up; held: the endpoint was disabled; both can be sent again',
  }),
  createdAt: z.iso.datetime().meta({ description: 'when it happened' }),
  attempts: z.int(),
  lastAttemptAt: z.iso.datetime().nullable(),
  nextAttemptAt: z.iso.datetime().nullable().meta({ description: 'null unless pending' }),
  responseStatus: z.int().nullable().meta({ description: 'of the latest attempt' }),
  error: z.string().nullable().meta({ description: 'why the latest attempt got no status' }),
  durationMs: z.int().nullable().meta({ description: 'of the latest attempt' }),
});

export const webhookData = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(eventKind),
  description: z.string().nullable(),
  status: webhookStatus.meta({
    description: 'disabled by PATCH, by an answer 410, or after days of nothing but failures',
  }),
  createdAt: z.iso.datetime(),
  disabledAt: z.iso.datetime().nullable().meta({ description: 'null while it is active' }),
  lastDelivery: deliveryData.nullable().meta({ description: 'the latest that was attempted' }),
});

const secret = z.string().meta({
  description: 'whsec_ and base64: the key of the signatures; it is shown this once',
});

export const webhookResponse = z.object({ success: z.literal(true), data: webhookData });

export const webhookList = z.object({
  success: z.literal(true),
  data: z.array(webhookData).meta({ description: 'the oldest first' }),
});

export const registeredWebhook = z.object({
  success: z.literal(true),
  data: webhookData.extend({ secret }),
});

export const rotatedWebhook = z.object({
  success: z.literal(true),
  data: webhookData.extend({
    secret,
    previousSecretsUntil: z.iso.datetime().meta({ description: 'they sign too until then' }),
  }),
});

export const deletedWebhook = z.object({
  success: z.literal(true),
  data: z.object({ id: z.string() }),
});

export const testOutcome = z.object({
  success: z.literal(true),
  data: z.object({
    delivered: z.boolean().meta({ description: 'whether the endpoint answered 2xx' }),
    status: z.int().nullable().meta({ description: 'null where no answer came' }),
    durationMs: z.int(),
    error: z.string().nullable().meta({ description: 'why no answer came' }),
  }),
});

export const deliveryResponse = z.object({ success: z.literal(true), data: deliveryData });

export const deliveryList = z.object({
  success: z.literal(true),
  data: z.array(deliveryData).meta({ description: 'the newest first' }),
  meta: z.object({ page: z.int(), limit: z.int(), total: z.int() }),
});

export type WebhookData = z.infer<typeof webhookData>;
