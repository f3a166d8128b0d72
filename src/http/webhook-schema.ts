import { z } from 'zod';
import { webhookEventKinds } from '../domain/webhook/event-kind.ts';
import type { DeliveryStatus } from '../webhooks/contract.ts';
import { text } from './fields.ts';
import { count, id, success, time, untrusted } from './output-fields.ts';
import { pageMeta } from './page-meta.ts';

const eventKind = z.enum(webhookEventKinds).meta({ id: 'WebhookEventKind' });

/** What the owner of an endpoint says of it. */
export const webhookUrl = text(2_048).meta({
  format: 'uri',
  examples: ['https://example.org/hooks/proofmark'],
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

export const deliveryData = z
  .object({
    id: id.meta({ description: 'the header webhook-id, the same at every attempt' }),
    type: eventKind,
    status: deliveryStatus.meta({
      description: 'failed: given up; held: the endpoint was disabled; both can be sent again',
    }),
    createdAt: time.meta({ description: 'when it happened' }),
    attempts: count,
    lastAttemptAt: time.nullable(),
    nextAttemptAt: time.nullable().meta({ description: 'null unless pending' }),
    responseStatus: z.int().nullable().meta({ description: 'of the latest attempt' }),
    error: z.string().nullable().meta({ description: 'why the latest attempt got no status' }),
    durationMs: count.nullable().meta({ description: 'of the latest attempt' }),
  })
  .meta({ id: 'Delivery' });

export const webhookData = z
  .object({
    id,
    // What is taken may have more than ASCII in it.
    url: untrusted.meta({ format: 'iri', description: 'as it was given' }),
    events: z.array(eventKind),
    description: untrusted.nullable().meta({ description: 'untrusted' }),
    status: webhookStatus.meta({
      description: 'disabled by PATCH, by an answer 410, or after days of nothing but failures',
    }),
    createdAt: time,
    disabledAt: time.nullable().meta({ description: 'null while it is active' }),
    lastDelivery: deliveryData.nullable().meta({ description: 'the latest that was attempted' }),
  })
  .meta({ id: 'WebhookEndpoint' });

const secret = z.string().meta({
  pattern: '^whsec_[A-Za-z0-9+/]+=*$',
  description: 'whsec_ and base64: the key of the signatures; it is shown this once',
});

export const webhookResponse = z.object({ success, data: webhookData });

export const webhookList = z.object({
  success,
  data: z.array(webhookData).meta({ description: 'the oldest first' }),
});

export const registeredWebhook = z.object({
  success,
  data: webhookData.extend({ secret }).meta({ id: 'RegisteredWebhookEndpoint' }),
});

export const rotatedWebhook = z.object({
  success,
  data: webhookData
    .extend({
      secret,
      previousSecretsUntil: time.meta({ description: 'they sign too until then' }),
    })
    .meta({ id: 'RotatedWebhookEndpoint' }),
});

export const deletedWebhook = z.object({ success, data: z.object({ id }) });

export const testOutcome = z.object({
  success,
  data: z.object({
    delivered: z.boolean().meta({ description: 'whether the endpoint answered 2xx' }),
    status: z.int().nullable().meta({ description: 'null where no answer came' }),
    durationMs: count,
    error: z.string().nullable().meta({ description: 'why no answer came' }),
  }),
});

export const deliveryResponse = z.object({ success, data: deliveryData });

export const deliveryList = z.object({
  success,
  data: z.array(deliveryData).meta({ description: 'the newest first' }),
  meta: pageMeta,
});

export type WebhookData = z.infer<typeof webhookData>;
