import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { generateSeed } from 'ripple-keypairs';
import { type Test, test } from 'tap';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { query } from '../embedded/run-service.ts';
import { newFolder } from '../support/blobs.ts';
import { createTestDatabase } from '../support/database.ts';
import { opsJson } from '../support/operator.ts';
import {
  emptyDataDir,
  newDataDir,
  type ProgramOptions,
  runProgram,
  stop,
} from '../support/program.ts';
import { until } from '../support/until.ts';
import { asMajorVersion } from '../support/versioned-postgres.ts';

const newMasterKey = () => randomBytes(32).toString('base64');
const unusedLedger = {
  XRPL_TESTNET_URL: 'ws://127.0.0.1:1',
  XRPL_TESTNET_ACCOUNTS: generateSeed({ algorithm: 'ed25519' }),
};

/**
 * Runs the program until it exits, which must be with code 1 and a plain message; resolves with that
 * message.
 */
async function refusal(
  t: Test,
  env: Readonly<Record<string, string>>,
  options: ProgramOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProgram(t, env, options).ended;
  t.equal(code, 1, stderr);
  t.equal(stdout, '');
  t.notMatch(stderr, /\n\s+at /, 'the message has no stack trace');
  for (const [name, value] of Object.entries(env)) {
    if (/KEY|ACCOUNTS/.test(name))
      t.notOk(stderr.includes(value), `the value of ${name} is not shown`);
  }
  return stderr;
}

test('each mistake in a variable is reported in one line with the name of the variable', async (t) => {
  const DATA_DIR = await emptyDataDir(t);
  const mistaken = { DATA_DIR, PORT: '70000', MASTER_KEY: 'abcd', ROLES: 'api,cook' };
  const several = await refusal(t, mistaken, { alone: true });
  const unusable = await refusal(t, { DATA_DIR, DATABASE_URL: 'postgres://127.0.0.1:1/x' });
  t.equal(
    several,
    `the configuration has mistakes:
  PORT: must be a whole number from 0 to 65535, not "70000"
  MASTER_KEY: must be 32 bytes in base64: make one with \`openssl rand -base64 32\`
  ROLES: must be one of api, projector, reactor, signer, not "cook"
`,
  );
  t.match(unusable, /^ {2}MASTER_KEY: is required with DATABASE_URL/m);
  t.match(unusable, /^ {2}XRPL_MAINNET_URL or XRPL_TESTNET_URL: is required with DATABASE_URL/m);
});

test('a port in use is reported in one line', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  t.teardown(() => holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const said = await refusal(
    t,
    { DATA_DIR: await newDataDir(t), PORT: String(port) },
    { alone: true },
  );
  t.match(
    said,
    new RegExp(`^cannot serve: .*EADDRINUSE.*127\\.0\\.0\\.1:${port}; set .* PORT .*\n$`),
  );
});

test('an unusable database is reported in one line', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  const hosted = { MASTER_KEY: newMasterKey(), LOG_KEY: newMasterKey(), ...unusedLedger };
  const wrongUrl = (change: object) => Object.assign(new URL(url), change).href;
  const at = (DATABASE_URL: string) => refusal(t, { ...hosted, DATABASE_URL });
  const away = await at('postgres://127.0.0.1:1/x');
  const password = await at(wrongUrl({ password: 'wrong' }));
  const name = await at(wrongUrl({ pathname: 'absent' }));
  const line = (reason: string) =>
    new RegExp(`^the database cannot be used \\(${reason}\\): check .* DATABASE_URL is right\n$`);
  t.match(away, line('connect ECONNREFUSED 127\\.0\\.0\\.1:1'));
  t.match(password, line('password authentication failed for user "\\w+"'));
  t.match(name, line('database "absent" does not exist'));
});

test('a role that may not migrate is told who can', async (t) => {
  const { url } = await createTestDatabase(t);
  const role = `service_${randomBytes(4).toString('hex')}`;
  await query(url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  t.teardown(async () => {
    await query(url, `DROP OWNED BY ${role}`);
    await query(url, `DROP ROLE ${role}`);
  });
  await query(url, `GRANT SELECT, UPDATE ON kysely_migration, kysely_migration_lock TO ${role}`);
  // One migration is still to be run, as after an upgrade.
  await query(
    url,
    'DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)',
  );
  const DATABASE_URL = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
  const keys = { MASTER_KEY: newMasterKey(), LOG_KEY: newMasterKey() };
  t.match(
    await refusal(t, { ...keys, ...unusedLedger, DATABASE_URL }),
    /^the database cannot be used \(.*\): migrate it as the owner of its tables .*\n$/,
  );
});

test('a database server that is too old is refused in one line with its version', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  const keys = { MASTER_KEY: newMasterKey(), LOG_KEY: newMasterKey() };
  const DATABASE_URL = await asMajorVersion(t, url, 14);
  const said = await refusal(t, { ...keys, ...unusedLedger, DATABASE_URL });
  t.match(
    said,
    /^the database runs on PostgreSQL 14\.\d+, and Proofmark needs PostgreSQL 15 to 18: upgrade .*\n$/,
  );
  t.strictSame(await query(url, `SELECT FROM pg_tables WHERE schemaname = 'public'`), []);
});

test('a database server newer than any tested one is used with a warning', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  const keys = { MASTER_KEY: newMasterKey(), LOG_KEY: newMasterKey() };
  const DATABASE_URL = await asMajorVersion(t, url, 19);
  const env = { ...keys, ...unusedLedger, DATABASE_URL, ROLES: 'projector' };
  const program = runProgram(t, { ...env, DATA_DIR: await emptyDataDir(t) });
  await program.said(
    /"level":"warn".*"the database runs on PostgreSQL 19\.\d+, which is untested: use PostgreSQL 15 to 18 /,
    'stderr',
  );
  const migrated = `SELECT to_regclass('checkpoints') IS NOT NULL AS migrated`;
  await until(
    'the program continues to its migrations',
    async () => (await query(url, migrated))[0]?.migrated === true,
  );
  t.match(await stop(program), { code: 0 });
});

test('a storage that cannot be used is reported in one line', async (t) => {
  const DATA_DIR = await newDataDir(t);
  const file = join(await newFolder(t), 'file');
  await writeFile(file, '');
  const at = (STORAGE_URL: string) => refusal(t, { DATA_DIR, STORAGE_URL });
  const bucket = await at('s3://No_Bucket');
  const setting = await at('s3://bucket?regoin=x');
  const folder = await at(`file:${file}`);
  t.match(
    bucket,
    /^files cannot be kept: STORAGE_URL: must be s3:.*No_Bucket is no bucket name\n$/i,
  );
  t.match(setting, /^files cannot be kept: STORAGE_URL: .*regoin is none of its settings\n$/);
  t.match(folder, /^files cannot be kept: the file storage failed: .*\n$/);
});

test('a master key other than that of the database is refused', async (t) => {
  const { url: DATABASE_URL } = await createTestDatabase(t);
  const DATA_DIR = await emptyDataDir(t);
  const env = { DATABASE_URL, DATA_DIR, LOG_KEY: newMasterKey(), ...unusedLedger };
  const create = ['organisation', 'create', '--name', 'A', '--plan', 'free'];
  await opsJson(t, { ...env, MASTER_KEY: newMasterKey() }, ...create);
  const said = await refusal(t, { ...env, MASTER_KEY: newMasterKey() });
  t.match(
    said,
    /^MASTER_KEY cannot decrypt the keys of organisation \w+: set the master key .*\n$/,
  );
});

test('the program ends when a ledger server serves another network than the configured one', async (t) => {
  const ledger = await createStandaloneLedger({ networkId: 0 });
  t.teardown(() => ledger.stop());
  const { url: DATABASE_URL } = await createTestDatabase(t);
  const keys = { MASTER_KEY: newMasterKey(), LOG_KEY: newMasterKey() };
  const env = { ...unusedLedger, DATABASE_URL, DATA_DIR: await emptyDataDir(t), ...keys };
  const { code, stderr } = await runProgram(t, { ...env, XRPL_TESTNET_URL: ledger.url }).ended;
  t.equal(code, 1);
  const why = 'it serves network_id 0, but the configured network is 1; correct XRPL_TESTNET_URL';
  t.equal(stderr, `${ledger.url} is not a server of testnet: ${why}\n`);
});
