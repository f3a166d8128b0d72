import { ulid } from 'ulid';
import type { WebhookId } from '../../src/domain/ulid.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { checkUrl } from '../../src/webhooks/check-url.ts';
import type {
  Delivery,
  EndpointRules,
  TestedWebhook,
  TestOutcome,
  WebhookDeliveries,
} from '../../src/webhooks/contract.ts';

/** Deliveries that the test adds; nothing is sent. */
export interface ScriptedDeliveries extends WebhookDeliveries {
  /** Adds a delivery to the end of an endpoint's log; by default a delivered one. */
  add(webhookId: WebhookId, delivery?: Partial<Delivery>): Delivery;
  /** All tested endpoints, in order. */
  readonly tested: readonly TestedWebhook[];
}

/** Checks URLs by the rules of production, without resolving host names. */
const strict: EndpointRules = { allowHttp: false, allowPrivate: false, ports: [443] };

export function createScriptedDeliveries(
  outcome: TestOutcome = { delivered: true, status: 204, durationMs: 12, error: null },
): ScriptedDeliveries {
  const logs = new Map<WebhookId, Delivery[]>();
  const tested: TestedWebhook[] = [];
  const turns = createTurns();
  const newestFirst = (webhookId: WebhookId) => (logs.get(webhookId) ?? []).toReversed();
  const endedOf = (webhookId: WebhookId, since: Date) =>
    (logs.get(webhookId) ?? []).filter(
      ({ status, createdAt }) =>
        ['failed', 'held'].includes(status) && Date.parse(createdAt) >= since.getTime(),
    );
  return {
    tested,
    add(webhookId, of = {}) {
      const delivery: Delivery = {
        ...{ id: ulid(), type: 'document.created', status: 'delivered', attempts: 1 },
        ...{ createdAt: '2026-01-02T03:04:05.678Z', lastAttemptAt: '2026-01-02T03:04:06.000Z' },
        ...{ nextAttemptAt: null, responseStatus: 200, error: null, durationMs: 34 },
        ...of,
      };
      logs.set(webhookId, [...(logs.get(webhookId) ?? []), delivery]);
      return delivery;
    },
    checkUrl: async (url) => checkUrl(url, strict),
    async test(webhook) {
      tested.push(webhook);
      return outcome;
    },
    async list(webhookId, { page, limit }) {
      const all = newestFirst(webhookId);
      return { items: all.slice((page - 1) * limit, page * limit), total: all.length };
    },
    async last(webhookIds) {
      const found = webhookIds.flatMap((webhookId) => {
        const attempted = newestFirst(webhookId).find(({ attempts }) => attempts > 0);
        return attempted === undefined ? [] : [[webhookId, attempted] as const];
      });
      return new Map(found);
    },
    has: async (webhookId, deliveryId) =>
      newestFirst(webhookId).some(({ id }) => id === deliveryId),
    retryFailed: ({ webhookId }, { since, most }, admit) =>
      turns.take(webhookId, async () => {
        const ended = endedOf(webhookId, since);
        const chosen = ended.slice(0, most);
        if (chosen.length > 0) await admit(chosen.length);
        const due = (each: Delivery): Delivery =>
          chosen.includes(each) ? { ...each, status: 'pending' } : each;
        logs.set(webhookId, (logs.get(webhookId) ?? []).map(due));
        return { retried: chosen.length, remaining: ended.length - chosen.length };
      }),
    async retry(webhookId, deliveryId) {
      const delivery = newestFirst(webhookId).find(({ id }) => id === deliveryId);
      return delivery === undefined ? null : { ...delivery, status: 'pending' };
    },
  };
}
