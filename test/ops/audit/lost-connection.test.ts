import pg from 'pg';
import tap, { test } from 'tap';
import { auditDatabase } from '../../../ops/audit/audit-database.ts';
import { type AuditSession, openAuditSession } from '../../../ops/audit/database/audit-session.ts';
import { Patience } from '../../../ops/audit/database/patience.ts';
import { faultInWords } from '../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../ops/audit/findings/findings.ts';
import { loadConfig } from '../../../src/config.ts';
import { type AuditedSite, createAuditedSite, logSize } from '../../support/audited-site.ts';

const site = await createAuditedSite(tap);
const altered = `UPDATE events SET data = '{"plan":"free"}' WHERE position = 150`;
const alteredFault = /^events position 150 /m;

type Reading = 'log' | 'read model';

/** Audits a site; awaits `before` at each read of a part of the log or of a read model. */
async function audit(
  { env }: AuditedSite,
  patienceMs: number,
  before: (reading: Reading) => Promise<void>,
) {
  const findings = new Findings();
  const config = loadConfig(env);
  const opened = await openAuditSession(config);
  const session = { ...opened, pool: watched(opened.pool, before) };
  const patience = new Patience(patienceMs);
  const none = { ask: null, outside: null, trusted: null };
  const of = { ...none, session, config, findings, listedWithinMs: 0, patience };
  const { events } = await auditDatabase(of).finally(() => opened.close());
  const { faults, unchecked } = findings.report();
  return {
    events,
    faults: faults.map(faultInWords).join('\n'),
    unchecked: unchecked.map(faultInWords).join('\n'),
  };
}

function watched(pool: pg.Pool, before: (reading: Reading) => Promise<void>): AuditSession['pool'] {
  return new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return async (text: string | pg.QueryConfig, values?: unknown[]) => {
        const isRead = typeof text === 'string' && text.includes('read_bytes');
        if (isRead) await before(values?.length === 2 ? 'log' : 'read model');
        return target.query(text, values);
      };
    },
  });
}

/** Ends all connections to the database. `isOpen` decides whether new ones are possible. */
async function endConnections({ url }: AuditedSite, isOpen: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const connectionString = Object.assign(new URL(url), { pathname: 'postgres' }).href;
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isOpen}`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    name,
  ]);
  await admin.end();
}

/** Rejects like a query whose connection breaks. */
async function breakQuery(copy: AuditedSite): Promise<void> {
  const client = new pg.Client({ connectionString: copy.url });
  client.on('error', () => {});
  await client.connect();
  const sleeping = client.query('SELECT pg_sleep(600)').finally(() => client.end());
  await Promise.all([sleeping, endConnections(copy, true)]);
}

/** Runs the work at the first call only. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}

test('a connection lost while reading the log is opened again', async (t) => {
  const copy = await site.copy(t);
  await copy.tamper(altered);
  let broken = 0;
  const found = await audit(copy, 20_000, async (reading) => {
    if (reading === 'read model' || broken === 2) return;
    broken += 1;
    await breakQuery(copy);
  });
  t.match(found, { events: logSize, faults: alteredFault, unchecked: '' });
  t.equal(broken, 2);
});

test('a connection lost while auditing a read model leaves only that read model unchecked', async (t) => {
  const copy = await site.copy(t);
  await copy.tamper(altered, "UPDATE workspaces_v1 SET name = 'other'");
  const breaking = once(() => endConnections(copy, true));
  const found = await audit(copy, 20_000, async (reading) => {
    if (reading === 'read model') await breaking();
  });
  t.match(found.faults, alteredFault);
  t.match(found.faults, /^projections \(name\): table workspaces, /m);
  t.match(
    found.unchecked,
    /^projections: read model access: the database cannot be reached \([^\n]*$/,
  );
});

test('findings are reported even if the database does not come back', async (t) => {
  const copy = await site.copy(t);
  await copy.tamper(altered);
  const closing = once(() => endConnections(copy, false));
  const found = await audit(copy, 200, async (reading) => {
    if (reading === 'read model') await closing();
  });
  t.match(found, { events: logSize, faults: alteredFault });
  for (const name of ['access', 'documents', 'workspaces']) {
    t.match(found.unchecked, new RegExp(`^projections: read model ${name}: `, 'm'));
  }
  t.notMatch(found.faults, /^projections/m);
  const another = await site.copy(t);
  await another.tamper(altered);
  const early = once(() => endConnections(another, false));
  const nothing = await audit(another, 200, early);
  t.match(nothing, { events: 0, faults: '' });
  t.match(nothing.unchecked, /^events: the events after position 0: /m);
});
