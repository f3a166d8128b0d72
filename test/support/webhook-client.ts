import type { Caller } from './api-client.ts';

export interface WebhookAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
}

/** Calls the API below `/webhooks`. */
export async function callWebhooks(
  { address, key }: Pick<Caller, 'address' | 'key'>,
  method: string,
  path = '',
  json?: object,
): Promise<WebhookAnswer> {
  const response = await fetch(`${address}/api/v1/webhooks${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(json && { body: JSON.stringify(json) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Configuration of a development machine: receivers on this machine, without TLS. */
export const developmentRules = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
