import type { WebhookId } from '../../../src/domain/ulid.ts';
import { decodeEvent } from '../../../src/event-store/decode.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { Endpoints, endpointTypes } from '../../../src/reactors/webhooks/endpoints.ts';
import { enqueuingName } from '../../../src/reactors/webhooks/enqueuing.ts';
import type { Findings } from '../findings/findings.ts';
import { type Queryable, readRowPages } from '../rows/read-rows.ts';

interface Row {
  readonly webhook_id: string | null;
  readonly kinds: readonly (string | null)[] | null;
  readonly active: boolean | null;
  readonly since: number | null;
}

/**
 * Compares the table of webhook endpoints with the events, folded up to the position of its reader:
 * it decides to which endpoints an event is delivered. Rows that no event registers are left to the
 * other checks of the table.
 */
export async function auditEndpoints(database: Queryable, findings: Findings): Promise<void> {
  // One statement, so that rows and position are of the same moment.
  const { rows: read } = await database.query<{ position: number | null; endpoints: Row[] | null }>(
    `SELECT (SELECT max(position) FROM checkpoints WHERE name = $1 AND status = 'live') AS position,
       (SELECT json_agg(json_build_object('webhook_id', webhook_id, 'kinds', kinds,
          'active', active, 'since', since)) FROM webhook_endpoints) AS endpoints`,
    [enqueuingName],
  );
  const { position = null, endpoints } = read[0] ?? {};
  if (position === null) return;
  const { folded, ids } = await foldEndpoints(database, position);
  const found = new Map((endpoints ?? []).map((row) => [row.webhook_id, row]));
  for (const webhookId of ids) {
    const wanted = folded.get(webhookId);
    const row = found.get(webhookId);
    const fault = (column: string, what: string) =>
      findings.reportFault(
        {
          ...{ in: 'operations', position: null, column },
          what: `table webhook_endpoints: endpoint ${webhookId} ${what}`,
        },
        { ids: [webhookId], streams: [`webhook-${webhookId}`] },
      );
    if (wanted === undefined) {
      if (row) fault('webhook_id', 'is in this table, but an event deletes it');
    } else if (row === undefined) {
      fault('webhook_id', 'is missing in this table: nothing is delivered to it');
    } else {
      if (String(row.kinds) !== String(wanted.kinds)) {
        const kinds = wanted.kinds.join(', ');
        fault('kinds', `has other kinds of events than its events state (${kinds})`);
      }
      if (row.active !== wanted.active) {
        const state = wanted.active ? 'enable' : 'disable';
        fault('active', `has another state than its events, which ${state} it`);
      }
    }
  }
}

/** Folds the clear fields: no key is needed. */
async function foldEndpoints(
  database: Queryable,
  upTo: number,
): Promise<{ folded: Endpoints; ids: ReadonlySet<WebhookId> }> {
  const folded = new Endpoints([]);
  const ids = new Set<WebhookId>();
  for await (const { rows } of readRowPages(database, { upTo, types: endpointTypes })) {
    for (const row of rows) {
      const event = await decodeEvent({ ...row, meta: '{}' }, { find: async () => null }).catch(
        () => null, // the audit of the row reports it
      );
      if (event === null) continue;
      folded.observe(event);
      const id = webhookOf(event);
      if (id !== null) ids.add(id);
    }
  }
  return { folded, ids };
}

function webhookOf(event: StoredEvent): WebhookId | null {
  return event.type === 'WebhookRegistered' ? event.data.webhookId : null;
}
