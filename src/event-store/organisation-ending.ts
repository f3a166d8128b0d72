import type pg from 'pg';
import type { DomainEvent } from '../domain/events.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { writeBatch } from './batch.ts';
import { StoreUnavailable } from './connection-loss.ts';
import { encodeEvent } from './encode.ts';
import type { Keyring } from './keyring.ts';
import { findServiceKeys } from './personal-meta.ts';
import type { EventMeta } from './stored-event.ts';

/**
 * Ends an organisation in the log. Calls may be repeated. They reject with `StoreUnavailable` (the
 * call may have taken effect or not).
 */
export interface OrganisationEnding {
  /**
   * Keeps new streams from beginning in the organisation once it resolves. Existing streams
   * continue.
   */
  close(organisationId: OrganisationId): Promise<void>;
  /**
   * Appends the last event of the organisation to its stream at `expectedVersion`, and destroys its
   * keys, in one transaction. After that nothing of the organisation can be appended, and only
   * clear fields can be read. Rejects with `VersionConflict` if the stream is at another version
   * (nothing has changed).
   */
  end(
    last: {
      readonly organisationId: OrganisationId;
      readonly stream: string;
      readonly expectedVersion: number;
      readonly event: DomainEvent;
    },
    meta: EventMeta,
  ): Promise<void>;
  /**
   * For an organisation whose last event is in the log: destroys its keys without another event,
   * and stops all appends.
   */
  destroyKeys(organisationId: OrganisationId): Promise<void>;
  /**
   * Returns the given organisations that still have keys, or to which events may still be appended.
   */
  unended(organisationIds: Iterable<OrganisationId>): Promise<readonly OrganisationId[]>;
}

/** `keyring` has the keys of the service, under which the name of the operator is recorded. */
export function createOrganisationEnding(
  pool: pg.Pool,
  {
    now = () => new Date(),
    keyring,
  }: { readonly now?: () => Date; readonly keyring?: Pick<Keyring, 'find' | 'create'> } = {},
): OrganisationEnding {
  return {
    async close(organisationId) {
      // Write under the lock of the head, so that every append that has not checked yet sees the
      // row.
      await pool
        .query(
          `WITH head AS MATERIALIZED (SELECT FROM log_head FOR UPDATE)
           INSERT INTO closed_organisations (organisation_id, erased) SELECT $1, false FROM head
           ON CONFLICT DO NOTHING`,
          [organisationId],
        )
        .catch(unavailable);
    },

    async end({ organisationId, stream, expectedVersion, event }, meta) {
      const recordedAt = now().toISOString();
      const at = { organisationId, stream, version: expectedVersion + 1 };
      const needsService = keyring !== undefined && meta.operator !== undefined;
      const serviceKeys = needsService ? await findServiceKeys(keyring) : null;
      const row = encodeEvent({ ...at, event, meta, recordedAt, keys: null, serviceKeys });
      const append = { rows: [row], guards: [{ stream, expected: expectedVersion }] };
      await transaction(pool, async (client) => {
        const [outcome] = await writeBatch(client, [append]);
        if (outcome && 'conflict' in outcome) throw outcome.conflict;
        await destroy(client, organisationId);
      });
    },

    async unended(organisationIds) {
      const { rows } = await pool
        .query<{ id: OrganisationId }>(
          `SELECT id FROM unnest($1::text[]) AS noted(id)
           WHERE EXISTS (SELECT FROM data_keys WHERE organisation_id = id)
              OR NOT EXISTS (SELECT FROM closed_organisations WHERE organisation_id = id AND erased)`,
          [[...organisationIds]],
        )
        .catch(unavailable);
      return rows.map(({ id }) => id);
    },

    destroyKeys: (organisationId) => transaction(pool, (client) => destroy(client, organisationId)),
  };
}

async function destroy(client: pg.PoolClient, organisationId: OrganisationId): Promise<void> {
  await client.query(
    `INSERT INTO closed_organisations (organisation_id, erased) VALUES ($1, true)
     ON CONFLICT (organisation_id) DO UPDATE SET erased = true`,
    [organisationId],
  );
  await client.query('DELETE FROM data_keys WHERE organisation_id = $1', [organisationId]);
}

async function transaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect().catch(unavailable);
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    // Discard a connection in an unknown state. The server then rolls back.
    broken = error instanceof Error ? error : new Error(String(error));
    throw StoreUnavailable.wrap(error);
  } finally {
    client.release(broken);
  }
}

function unavailable(cause: unknown): never {
  throw StoreUnavailable.wrap(cause);
}
