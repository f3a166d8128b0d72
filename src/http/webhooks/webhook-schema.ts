import { z } from 'zod';
import { webhookEventKinds } from '../../domain/webhook/event-kind.ts';
import { count, id, success, time, untrusted } from '../../views/output-fields.ts';
import { pageMeta } from '../../views/page-meta.ts';
import type { DeliveryStatus } from '../../webhooks/contract.ts';
import { text } from '../fields.ts';

const eventKind = z.enum(webhookEventKinds).meta({ id: 'WebhookEventKind' });

/** Fields of an endpoint that its owner sets. */
export const webhookUrl = text(2_048).meta({
  format: 'uri',
  examples: ['https://example.org/hooks/proofmark'],
  description: 'an HTTPS URL without credentials, on a host with a public IP address',
});
export const webhookKinds = z
  .array(eventKind)
  .min(1, { error: 'must name at least one kind of event' })
  .meta({ description: 'duplicates are ignored' });
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
    id: id.meta({ description: 'value of the header webhook-id, the same in every attempt' }),
    deliveryId: id.meta({ description: 'the same as id, as in the path of the retry' }),
    type: eventKind,
    status: deliveryStatus.meta({
      description:
        'failed: no more attempts are made; held: the endpoint was disabled; both can be sent again',
    }),
    createdAt: time.meta({ description: 'time of the event' }),
    attempts: count,
    lastAttemptAt: time.nullable(),
    nextAttemptAt: time.nullable().meta({ description: 'null unless pending' }),
    responseStatus: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the latest attempt; null if there was none' }),
    error: z.string().nullable().meta({ description: 'why the latest attempt got no HTTP status' }),
    durationMs: count
      .nullable()
      .meta({ description: 'duration of the latest attempt; null if there was none' }),
  })
  .meta({ id: 'Delivery' });

const webhookData = z
  .object({
    id,
    // Accepted URLs may contain non-ASCII characters.
    url: untrusted.meta({ format: 'iri', description: 'as registered; untrusted' }),
    events: z.array(eventKind),
    description: untrusted.nullable().meta({ description: 'untrusted' }),
    status: webhookStatus.meta({
      description:
        'disabled: by PATCH, by an answer 410 of the endpoint, or after days in which every delivery ' +
        'failed',
    }),
    createdAt: time,
    disabledAt: time.nullable().meta({ description: 'null while the endpoint is active' }),
    lastDelivery: deliveryData
      .nullable()
      .meta({ description: 'the latest delivery that was attempted' }),
  })
  .meta({ id: 'WebhookEndpoint' });

const secret = z.string().meta({
  pattern: '^whsec_[A-Za-z0-9+/]+=*$',
  description: 'the key of the signatures: whsec_ followed by base64; shown in this answer only',
});

export const webhookResponse = z.object({ success, data: webhookData });

export const webhookList = z.object({
  success,
  data: z.array(webhookData).meta({ description: 'oldest first' }),
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
      previousSecretsUntil: time.meta({
        description: 'until this time deliveries are signed with the previous secrets too',
      }),
    })
    .meta({ id: 'RotatedWebhookEndpoint' }),
});

export const deletedWebhook = z.object({ success, data: z.object({ id }) });

export const testOutcome = z.object({
  success,
  data: z.object({
    delivered: z.boolean().meta({ description: 'true if the endpoint answered with a 2xx status' }),
    status: z.int().nullable().meta({ description: 'null if the endpoint did not answer' }),
    durationMs: count,
    error: z.string().nullable().meta({ description: 'why there was no answer' }),
  }),
});

export const deliveryResponse = z.object({ success, data: deliveryData });

export const retriedDeliveries = z.object({
  success,
  data: z.object({
    retried: count.meta({ description: 'number of deliveries queued to be sent now' }),
    remaining: count.meta({
      description: 'number of further ones that failed or are held; call again to send them too',
    }),
  }),
});

export const deliveryList = z.object({
  success,
  data: z.array(deliveryData).meta({ description: 'newest first' }),
  meta: pageMeta,
});

export type WebhookData = z.infer<typeof webhookData>;
