import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * Webhook endpoints, without data from their owners: URLs often hold a token, and stay encrypted in
 * the endpoints' own streams. `position` is the log position of the registration.
 */
export type WebhooksTables = {
  webhooks: {
    organisation_id: string;
    position: number;
    webhook_id: string;
  };
};

export const webhooksTables: readonly (keyof WebhooksTables)[] = ['webhooks'];

export async function createWebhooksTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('webhooks'))} (
      organisation_id text NOT NULL,
      position bigint NOT NULL,
      webhook_id text NOT NULL UNIQUE,
      PRIMARY KEY (organisation_id, position)
    )`.execute(trx);
}
