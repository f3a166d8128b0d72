import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Test, test } from 'tap';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { projectRoot } from '../support/run.ts';
import { joinSharedPostgres } from '../support/shared-postgres.ts';

const script = readFileSync(join(projectRoot, 'ops/deploy/privileges.sql'), 'utf8');

async function run(url: string, ...statements: readonly string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

/** A migrated database that a role owns which is no superuser, and a name for the service's role. */
async function ownedDatabase(
  t: Test,
  rights: `${'CREATEROLE' | 'NOCREATEROLE'}${'' | ' NOINHERIT'}`,
) {
  const id = randomBytes(4).toString('hex');
  const [owner, service, database] = [`owner_${id}`, `service_${id}`, `owned_${id}`];
  const admin = await joinSharedPostgres();
  await run(
    admin,
    `CREATE ROLE ${owner} LOGIN NOSUPERUSER ${rights} PASSWORD 'secret'`,
    `CREATE DATABASE ${database} OWNER ${owner}`,
  );
  t.teardown(() =>
    run(
      admin,
      `DROP DATABASE ${database} WITH (FORCE)`,
      `DROP ROLE IF EXISTS ${service}`,
      `DROP ROLE ${owner}`,
    ),
  );
  const urlOf = (username: string) =>
    Object.assign(new URL(admin), { username, password: 'secret', pathname: `/${database}` }).href;
  const url = urlOf(owner);
  if (rights.endsWith('NOINHERIT')) {
    // On PostgreSQL 15, such an owner of the database has no rights to the schema otherwise.
    const inDatabase = Object.assign(new URL(admin), { pathname: `/${database}` }).href;
    await run(inDatabase, `ALTER SCHEMA public OWNER TO ${owner}`);
  }
  await migrateToLatest(url);
  await run(url, 'CREATE TABLE some_read_model (id text)');
  const grant = () => run(url, `SET proofmark.role = '${service}'`, script);
  return { admin, service, owner, grant, serviceUrl: urlOf(service) };
}

async function checkRights(t: Test, serviceUrl: string): Promise<void> {
  const [may] = await run(
    serviceUrl,
    `SELECT has_table_privilege('events', 'SELECT, INSERT') AS appends,
       has_table_privilege('events', 'UPDATE') OR has_table_privilege('events', 'DELETE')
         OR has_table_privilege('events', 'TRUNCATE') AS changes,
       has_table_privilege('data_keys', 'DELETE') AS "deletesKeys"`,
  );
  t.strictSame(may?.rows, [{ appends: true, changes: false, deletesKeys: true }]);
  await run(serviceUrl, 'DROP TABLE some_read_model', 'CREATE TABLE some_read_model (id text)');
}

test('an owner who may create roles but is no superuser grants the rights', async (t) => {
  const { service, grant, owner, serviceUrl } = await ownedDatabase(t, 'CREATEROLE');
  await grant();
  await run(serviceUrl.replace(service, owner), `ALTER ROLE ${service} PASSWORD 'secret'`);
  await checkRights(t, serviceUrl);
  await t.resolves(grant(), 'again, when the role owns the read models');
  await checkRights(t, serviceUrl);
});

test('an owner who may not create roles grants the rights to one that is there', async (t) => {
  const { admin, service, owner, grant, serviceUrl } = await ownedDatabase(t, 'NOCREATEROLE');
  await t.rejects(grant(), { message: new RegExp(`CREATE ROLE "?${service}"? LOGIN`) });
  await run(admin, `CREATE ROLE ${service} LOGIN PASSWORD 'secret'`);
  await t.rejects(grant(), { message: new RegExp(`GRANT "?${service}"? TO "?${owner}`) });
  await run(admin, `GRANT ${service} TO ${owner}`);
  await grant();
  await checkRights(t, serviceUrl);
  await t.resolves(grant());
});

for (const rights of ['CREATEROLE NOINHERIT', 'NOCREATEROLE NOINHERIT'] as const) {
  test(`an owner with ${rights} grants the rights, also again`, async (t) => {
    const { admin, service, owner, grant, serviceUrl } = await ownedDatabase(t, rights);
    if (rights === 'NOCREATEROLE NOINHERIT') {
      await run(admin, `CREATE ROLE ${service} LOGIN`, `GRANT ${service} TO ${owner}`);
    }
    await grant();
    await run(admin, `ALTER ROLE ${service} PASSWORD 'secret'`);
    await checkRights(t, serviceUrl);
    await t.resolves(grant(), 'again, when the role owns the read models');
    await checkRights(t, serviceUrl);
  });
}

test('an owner that inherits from the role, but may not set it, is told what to run', async (t) => {
  const { admin, service, owner, grant, serviceUrl } = await ownedDatabase(t, 'NOCREATEROLE');
  const [version] = await run(admin, "SELECT current_setting('server_version_num')::int AS number");
  if (version?.rows[0].number < 160_000) {
    t.comment('PostgreSQL 15 has no such option');
    return;
  }
  await run(
    admin,
    `CREATE ROLE ${service} LOGIN PASSWORD 'secret'`,
    `GRANT ${service} TO ${owner} WITH INHERIT TRUE, SET FALSE`,
  );
  const message = await grant().then(String, (error: Error) => error.message);
  const [, order = ''] = /run "(GRANT [^"]*)" as a superuser/.exec(message) ?? [];
  t.equal(order, `GRANT ${service} TO ${owner} WITH SET TRUE`);
  await run(admin, order);
  await grant();
  await checkRights(t, serviceUrl);
});
