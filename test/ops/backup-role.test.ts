import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { test } from 'tap';
import { newFolder } from '../support/blobs.ts';
import { projectRoot } from '../support/run.ts';
import { joinSharedPostgres } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const script = read('ops/deploy/backup-role.sql');
const rules = /^ *(hostssl replication proofmark_backup .*)\n *(host .* reject)$/m;

async function query(config: pg.ClientConfig, ...statements: readonly string[]) {
  const client = new pg.Client(config);
  await client.connect();
  try {
    let result: pg.QueryResult | undefined;
    for (const statement of statements) result = await client.query(statement);
    return result?.rows ?? [];
  } finally {
    await client.end();
  }
}

test('the role for backups makes a base backup, and can read no table', async (t) => {
  const id = randomBytes(4).toString('hex');
  const [role, database] = [`backup_${id}`, `backed_up_${id}`];
  const adminUrl = await joinSharedPostgres();
  const asAdmin = (...statements: readonly string[]) =>
    query({ connectionString: adminUrl }, ...statements);
  const make = () => asAdmin(`SET proofmark.role = '${role}'`, script);
  await asAdmin(`CREATE DATABASE ${database}`);
  const [hba] = await asAdmin('SHOW hba_file');
  const before = readFileSync(hba.hba_file, 'utf8');
  t.teardown(async () => {
    writeFileSync(hba.hba_file, before);
    await asAdmin(
      'SELECT pg_reload_conf()',
      `DROP DATABASE ${database} WITH (FORCE)`,
      `DROP ROLE IF EXISTS ${role}`,
    );
  });
  const urlOf = (username: string) =>
    Object.assign(new URL(adminUrl), { username, password: 'secret', pathname: `/${database}` });
  await query(
    { connectionString: Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href },
    'CREATE TABLE events (position bigint)',
  );

  await make();
  await t.resolves(make(), 'again, when the role exists');
  await asAdmin(`ALTER ROLE ${role} PASSWORD 'secret'`);
  t.strictSame(
    await asAdmin(
      `SELECT rolcanlogin, rolreplication, rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls AS more
         FROM pg_roles WHERE rolname = '${role}'`,
    ),
    [{ rolcanlogin: true, rolreplication: true, more: false }],
  );
  const connection = { connectionString: urlOf(role).href };
  for (const action of ['SELECT FROM', 'INSERT INTO', 'DELETE FROM', 'TRUNCATE']) {
    const values = action.startsWith('INSERT') ? ' VALUES (1)' : '';
    const refused = { code: '42501' };
    await t.rejects(query(connection, `${action} events${values}`), refused, action);
  }

  // The runbook's lines, for this machine and without TLS.
  const lines = rules.exec(read('docs/runbook.md'))?.slice(1) ?? [];
  t.equal(lines.length, 2);
  const own = lines.map((line) =>
    line
      .replace('hostssl', 'host')
      .replace('proofmark_backup', role)
      .replace('192.0.2.10/32', '127.0.0.1/32')
      .replace('scram-sha-256', 'password'),
  );
  writeFileSync(hba.hba_file, `${own.join('\n')}\n${before}`);
  await asAdmin('SELECT pg_reload_conf()');
  await until('databases refuse the role', () =>
    query(connection, 'SELECT').then(
      () => false,
      (error) => error.code === '28000' && /pg_hba\.conf rejects/.test(error.message),
    ),
  );
  const replication = { ...connection, replication: 'true' } as pg.ClientConfig;
  t.match(await query(replication, 'IDENTIFY_SYSTEM'), [{ systemid: /^\d+$/ }]);

  const program = join(process.env.POSTGRES_BIN ?? '', 'pg_basebackup');
  if (!existsSync(program)) {
    t.comment('the bundled PostgreSQL has no pg_basebackup: see npm run test:database');
    return;
  }
  const folder = join(await newFolder(t), 'base');
  const { port } = new URL(adminUrl);
  const target = `host=127.0.0.1 port=${port} user=${role}`;
  const words = ['-d', target, '-D', folder, '-Ft', '-X', 'stream', '-c', 'fast', '--no-sync'];
  await promisify(execFile)(program, words, { env: { PGPASSWORD: 'secret' } });
  t.strictSame((await readdir(folder)).sort(), ['backup_manifest', 'base.tar', 'pg_wal.tar']);
});

test('a role that may do more is not made the role for backups', async (t) => {
  const role = `backup_${randomBytes(4).toString('hex')}`;
  const connectionString = await joinSharedPostgres();
  const create = (rights: string, ...more: readonly string[]) =>
    query(
      { connectionString },
      ...['BEGIN', `CREATE ROLE ${role} ${rights}`, ...more],
      ...[`SET LOCAL proofmark.role = '${role}'`, script],
    );
  const more = { message: /may do more than make base backups: choose another name/ };
  await t.rejects(create('LOGIN REPLICATION SUPERUSER'), more);
  await t.rejects(create('LOGIN REPLICATION IN ROLE pg_read_all_data'), more);
  const grant = `GRANT CREATE ON SCHEMA public TO ${role}`;
  await t.rejects(create('LOGIN REPLICATION', grant), more);
  await t.rejects(create('LOGIN'), { message: /run "ALTER ROLE .* LOGIN REPLICATION"/ });
});
