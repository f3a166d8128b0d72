import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Test, test } from 'tap';
import { query } from '../embedded/run-service.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { ops } from '../support/operator.ts';
import { countEventsAt } from '../support/program.ts';
import { projectRoot, run } from '../support/run.ts';
import { until } from '../support/until.ts';

/** A command that waits in its opening until `goOn` is called. */
async function waitingCommand(t: Test) {
  const { url, env } = await hostedDatabase(t);
  t.match(await ops(t, env, 'organisation', 'list'), { code: 0 });
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  t.teardown(() => other.end());
  // The opening reads this table, and then needs the database several times more.
  await other.query('BEGIN');
  await other.query('LOCK TABLE data_keys IN ACCESS EXCLUSIVE MODE');
  const create = ['organisation', 'create', '--name', 'A', '--plan', 'free'];
  const running = run(t, [process.execPath, join(projectRoot, 'ops/cli.ts'), ...create], { env });
  const waiting = `SELECT FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await until('it waits', async () => (await query(url, waiting)).length > 0);
  return { running, url, goOn: () => other.query('COMMIT') };
}

test('a command that is interrupted while it opens begins no work', async (t) => {
  const { running, url, goOn } = await waitingCommand(t);
  running.kill('SIGINT');
  await goOn();
  t.match(await running.ended, { code: 130, signal: null, stdout: '' });
  t.equal(await countEventsAt(url, 'OrganisationOpened'), 0);
});

test('a command that is interrupted again after a while ends at once', async (t) => {
  const { running } = await waitingCommand(t);
  running.kill('SIGINT');
  await delay(1_500);
  t.equal(running.outcome(), null, 'it waits for its opening');
  running.kill('SIGTERM');
  t.match(await running.ended, { code: 143, signal: null, stdout: '' });
});
