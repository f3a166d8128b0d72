import type { WebhookDeleted, WebhookRegistered } from '../../src/domain/webhook/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { createWebhooksTables, type WebhooksTables, webhooksTables } from './table.ts';

type ListedEvent = StoredEvent<WebhookRegistered | WebhookDeleted>;

/** The webhook endpoints of each organisation that are not deleted. */
export const webhooks: ErasableProjection = erasable({
  name: 'webhooks',
  version: 1,
  types: ['WebhookRegistered', 'WebhookDeleted'] satisfies ListedEvent['type'][],
  tables: webhooksTables,
  create: createWebhooksTables,
  async project(trx, events, named) {
    const tables = trx.$extendTables<WebhooksTables>();
    for (const event of events as readonly ListedEvent[]) {
      // Skip endpoints of an erased organisation, which can be neither read nor requested.
      if (event.erased) continue;
      const { webhookId } = event.data;
      if (event.type === 'WebhookDeleted') {
        await tables.deleteFrom(named('webhooks')).where('webhook_id', '=', webhookId).execute();
        continue;
      }
      const { organisationId } = event.data;
      await tables
        .insertInto(named('webhooks'))
        .values({
          organisation_id: organisationId,
          position: event.position,
          webhook_id: webhookId,
        })
        .execute();
    }
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<WebhooksTables>()
      .deleteFrom(named('webhooks'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});
