import { webhookEvents } from '../webhooks/webhook-events.ts';
import {
  signatureCommand,
  signatureRule,
  signedExample,
  webhookHeaders,
} from '../webhooks/webhook-signature.ts';
import type { Quickstart } from './quickstart-schema.ts';

/** How to receive webhook deliveries. */
export const webhookGuide: Quickstart['webhooks'] = {
  register:
    'POST {base_url}/webhooks with url and events, by a key with webhooks:manage; keep the secret of ' +
    'the answer.',
  headers: webhookHeaders.map((header) => ({ ...header })),
  signature: {
    standard: 'https://www.standardwebhooks.com, version 1.0',
    rule: signatureRule,
    run: signatureCommand,
    needs: {
      WEBHOOK_ID: 'the header webhook-id',
      WEBHOOK_TIMESTAMP: 'the header webhook-timestamp',
      BODY: 'the body as received',
      SECRET: 'the secret of the endpoint, whsec_…; confidential',
    },
    example: signedExample,
  },
  answer:
    'Answer with any 2xx status within 15 seconds. After any other answer the delivery is sent again, ' +
    'with the same webhook-id; 410 disables the endpoint.',
  events: webhookEvents.map((event) => ({ ...event })),
};
