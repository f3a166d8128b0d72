import { webhookEvents } from '../webhooks/webhook-events.ts';
import { webhookPayload } from '../webhooks/webhook-payload.ts';
import { signatureRule, signedExample, webhookHeaders } from '../webhooks/webhook-signature.ts';
import type { JsonObject, JsonSchemas } from './json-schemas.ts';

/** The requests that the service sends to endpoints, one for each kind of event. */
export function webhooksOf(schemas: JsonSchemas): JsonObject {
  return Object.fromEntries(
    webhookEvents.map(({ kind, when, content, example }) => {
      const schema = schemas.of(webhookPayload(kind), 'output');
      const post = {
        operationId: operationIdOf(kind),
        tags: ['Webhooks'],
        summary: `Sent when ${when}`,
        description: `\`data\` is ${content}.\n\n${signatureRule}`,
        security: [],
        parameters: webhookHeaders.map(({ name }) => ({
          $ref: `#/components/parameters/${name}`,
        })),
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses,
      };
      return [kind, { post }];
    }),
  );
}

/** The headers of deliveries as components. */
export const webhookParameters: JsonObject = Object.fromEntries(
  webhookHeaders.map(({ name, description }) => [
    name,
    {
      ...{ name, in: 'header', required: true, description, schema: { type: 'string' } },
      example: signedExample.headers[name],
    },
  ]),
);

const responses = {
  '2XX': {
    description: 'The delivery is received. Answer within 15 seconds, and work afterwards.',
  },
  '410': { description: 'The endpoint is gone: the service disables it and sends nothing more.' },
  default: {
    description: 'Not received: the service tries again, at growing intervals for three days.',
  },
};

function operationIdOf(kind: string): string {
  return `on${kind.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())}`;
}
