import { randomBytes } from 'node:crypto';
import { OperatorError } from '../errors/operator-error.ts';
import { connectionTo } from './connection-to.ts';
import { DatabaseClient } from './database-client.ts';

/** A pooler shares sessions. The message is one line for the operator. */
class SharedSessions extends OperatorError {
  constructor() {
    super(
      'the pooler at DATABASE_URL shares sessions of PostgreSQL among connections, so locks, ' +
        'notifications and prepared statements do not work: set pool_mode = session for this database ' +
        '(PgBouncer), or connect to PostgreSQL directly (docs/runbook.md, "The database server")',
    );
  }
}

/**
 * Checks that each connection has a session of PostgreSQL to itself, as long as it is open. Rejects
 * with `SharedSessions`, or with the driver's errors. A pooler gives each connection a process id of
 * its own invention. Without a pooler the check is one query.
 */
export async function requireOwnSessions(
  url: string,
  { waitMs = 10_000 }: { readonly waitMs?: number } = {},
): Promise<void> {
  const open = () => {
    const limits = { connectionTimeoutMillis: waitMs, query_timeout: waitMs };
    const client = new DatabaseClient({ ...connectionTo(url, null), ...limits });
    client.on('error', () => {});
    return client;
  };
  const listener = open();
  const notifier = open();
  try {
    await listener.connect();
    const own = await sessionOf(listener);
    if (own === idOf(listener)) return;
    const channel = `proofmark_${randomBytes(8).toString('hex')}`;
    const notified = new Promise<boolean>((resolve) => {
      listener.on('notification', () => resolve(true));
      setTimeout(() => resolve(false), waitMs).unref();
    });
    await listener.query(`LISTEN ${channel}`);
    await notifier.connect();
    // A pooler in another mode takes the first session again, since no transaction is open on it.
    if ((await sessionOf(notifier)) === own) throw new SharedSessions();
    // Under load it may take another one, and then it passes no notification on.
    await notifier.query(`NOTIFY ${channel}`);
    if (!(await notified)) throw new SharedSessions();
  } finally {
    await Promise.all([listener, notifier].map((client) => client.end().catch(() => {})));
  }
}

async function sessionOf(client: DatabaseClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/** Process id that the start of the session named. The driver has it, although its types do not. */
function idOf(client: DatabaseClient): number | undefined {
  return (client as { readonly processID?: number }).processID;
}
