import type { OrganisationId, WebhookId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { WebhooksTables } from './table.ts';

/** The organisation's endpoints in the order of registration. */
export async function listWebhookIds(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<readonly WebhookId[]> {
  const rows = await db
    .$extendTables<WebhooksTables>()
    .selectFrom('webhooks')
    .where('organisation_id', '=', organisationId)
    .orderBy('position')
    .select('webhook_id')
    .execute();
  return rows.map((row) => row.webhook_id as WebhookId);
}
