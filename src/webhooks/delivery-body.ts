import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';

/** Content of a delivery. `timestamp` is that of the event, ISO 8601. */
interface DeliveryMessage {
  readonly type: WebhookEventKind;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Exclusive upper limit of a body: 20 kB (Standard Webhooks 1.0.0, payload size). */
const bodyLimitBytes = 20_000;

/**
 * The body of a delivery, as signed. If it is too large, the largest members of `data` are left out
 * and listed in `data.omitted`; the receiver can request the resource.
 */
export function deliveryBody({ type, timestamp, data }: DeliveryMessage): string {
  const omitted: string[] = [];
  let sent = data;
  for (;;) {
    const body = JSON.stringify({ type, timestamp, data: sent });
    if (Buffer.byteLength(body) < bodyLimitBytes) return body;
    const largest = largestMember(data, omitted);
    if (largest === null) throw new Error(`the data of ${type} cannot be made small enough`);
    omitted.push(largest);
    const rest = Object.entries(data).filter(([name]) => !omitted.includes(name));
    sent = { ...Object.fromEntries(rest), omitted };
  }
}

function largestMember(
  data: Readonly<Record<string, unknown>>,
  omitted: readonly string[],
): string | null {
  let largest: string | null = null;
  let most = 0;
  for (const [name, value] of Object.entries(data)) {
    const size = omitted.includes(name) ? 0 : Buffer.byteLength(JSON.stringify(value) ?? '');
    if (size > most) [largest, most] = [name, size];
  }
  return largest;
}
