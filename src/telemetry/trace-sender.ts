import type { WebhookSender } from '../webhooks/contract.ts';
import type { Trace } from './contract.ts';

/**
 * The same sender, with each request to an endpoint traced. A span contains the delivery's id,
 * never its URL or content.
 */
export function traceSender(sender: WebhookSender, trace: Trace): WebhookSender {
  return {
    ...sender,
    send: (request, cancelled) => {
      const attributes = { 'proofmark.delivery.id': request.headers['webhook-id'] ?? '' };
      return trace({ name: 'webhook delivery', kind: 'client', attributes }, async (span) => {
        const answer = await sender.send(request, cancelled);
        const { status, error } = answer;
        if (status !== null) span.set({ 'http.response.status_code': status });
        if (error !== null) span.set({ 'error.type': error });
        if (status === null || status >= 300) span.fail();
        return answer;
      });
    },
  };
}
