import type { Findings } from '../findings/findings.ts';
import type { Queryable } from '../rows/read-rows.ts';

const hours = 12;
/** Clocks of processes and database may differ so much. */
const tolerance = '1 hour';

/**
 * Reports sessions of the console that last longer than any that the service begins: somebody wrote
 * them into the table. A standby has no rows of this table.
 */
export async function auditSessions(database: Queryable, findings: Findings): Promise<void> {
  const { rows: states } = await database.query<{ standby: boolean }>(
    'SELECT pg_is_in_recovery() AS standby',
  );
  if (states[0]?.standby === true) return;
  const { rows } = await database.query<{ person: string; times: number }>(
    `SELECT person_id AS person, count(*)::int AS times FROM console_sessions
     WHERE expires_at - started_at > interval '${hours} hours'
       OR expires_at > now() + interval '${hours} hours' + interval '${tolerance}'
     GROUP BY person_id ORDER BY person_id LIMIT 1000`,
  );
  for (const { person, times } of rows) {
    const what = `table console_sessions: a session of person ${person} lasts longer than ${hours} hours, so the service did not begin it. Delete it`;
    const at = { in: 'operations', position: null, column: 'expires_at' } as const;
    findings.reportFault({ ...at, what, times }, { ids: [person] });
  }
}
