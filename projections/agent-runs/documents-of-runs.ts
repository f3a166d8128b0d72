import { sql, type Transaction } from 'kysely';
import type { DocumentEvent } from '../../src/domain/document/events.ts';
import type { AnchorRefused, ProofWithdrawn } from '../../src/domain/proof/events.ts';
import { proofOfStream } from '../../src/domain/streams.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import { rowSet } from '../documents/row-set.ts';
import type { NamedRun } from './mark-protected.ts';
import type { AgentRunsTables } from './table.ts';

/** Events that add a document to a run, or take it away since its proof was given up. */
export type DocumentOfRunEvent = DocumentEvent | AnchorRefused | ProofWithdrawn;

type Row = AgentRunsTables['agent_run_documents'];

/** Writes which documents name which run. Returns the runs whose documents have changed. */
export async function writeDocumentsOfRuns(
  trx: Transaction<StoreTables>,
  events: readonly StoredEvent<DocumentOfRunEvent>[],
  named: Named,
): Promise<readonly NamedRun[]> {
  const table = sql.table(named('agent_run_documents'));
  const [added, gone] = [new Map<string, Row>(), new Set<string>()];
  for (const event of events) {
    if (event.type === 'DocumentStored' || event.type === 'RevisionChained') {
      const { proofId, organisationId, classification } = event.data;
      const runId = classification?.runId;
      if (runId === undefined) continue;
      added.set(proofId, { proof_id: proofId, organisation_id: organisationId, run_id: runId });
    } else {
      const proofId = proofOfStream(event.stream);
      if (proofId === null) throw new Error(`${event.type} in the stream ${event.stream}`);
      if (!added.delete(proofId)) gone.add(proofId);
    }
  }
  const written = [...added.values()];
  if (written.length > 0) {
    const rows = rowSet<Row>(written, types);
    await sql`
      INSERT INTO ${table} (${rows.columns}) SELECT ${rows.values} FROM ${rows.from}`.execute(trx);
  }
  const { rows: deleted } =
    gone.size === 0
      ? { rows: [] }
      : await sql<Omit<Row, 'proof_id'>>`
          DELETE FROM ${table} WHERE proof_id = ANY(${[...gone]}::text[])
          RETURNING organisation_id, run_id`.execute(trx);
  return [...written, ...deleted].map((row) => {
    return { organisationId: row.organisation_id, runId: row.run_id };
  });
}

const types = { proof_id: 'text', organisation_id: 'text', run_id: 'text' };
