import { Refusal } from '../domain/refusal.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';

/** Refuses with INVALID_REQUEST, naming the field, a URL that nothing may be delivered to. */
export async function checkWebhookUrl(
  webhooks: Pick<WebhookDeliveries, 'checkUrl'>,
  url: string,
): Promise<void> {
  const mistake = await webhooks.checkUrl(url);
  if (mistake !== null) throw new Refusal('INVALID_REQUEST', `url: ${mistake}`);
}
