import { test } from 'tap';
import { hashOf, prove } from '../support/api-client.ts';
import { hostedDatabase } from '../support/hosted-database.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { startPgBouncer, withPgBouncer } from '../support/pgbouncer.ts';
import { runProgram, startProgram } from '../support/program.ts';

test(
  'behind PgBouncer in transaction mode it says in one line what to do',
  withPgBouncer,
  async (t) => {
    const { url, env } = await hostedDatabase(t);
    const pooler = await startPgBouncer(t, url, { pool_mode: 'transaction' });
    const { code, stderr } = await runProgram(t, { ...env, DATABASE_URL: pooler.url }).ended;
    t.equal(code, 1);
    t.match(stderr, /^the pooler at DATABASE_URL shares sessions .*set pool_mode = session.*\n$/);
    await pooler.stop();
  },
);

test('behind PgBouncer in session mode it anchors proofs', withPgBouncer, async (t) => {
  const { env, databaseUrl } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(env);
  const pooler = await startPgBouncer(t, databaseUrl, { pool_mode: 'session' });
  const { address } = await startProgram(t, { ...env, DATABASE_URL: pooler.url });
  await t.resolves(prove({ ...organisation, address }, hashOf('pooled')));
});
