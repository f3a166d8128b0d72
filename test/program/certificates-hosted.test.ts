import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { type Test, test } from 'tap';
import { type Caller, prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { fetchCertificate } from '../support/certificate-client.ts';
import { sha256 } from '../support/forms.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { countEventsAt, startProgram, stop } from '../support/program.ts';
import { isThorough } from '../support/run-count.ts';
import { until } from '../support/until.ts';

/** Programs on one database, one ledger and one storage. */
async function createSite(t: Test) {
  const { env: hosted, databaseUrl } = await startHosted(t, { closeMs: 250 });
  const folder = await newFolder(t);
  const env = {
    ...hosted,
    DATA_DIR: join(folder, 'data'),
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
  };
  const organisation = await openOrganisation(env);
  const start = async () => {
    const program = await startProgram(t, env);
    const caller: Caller = { address: program.address, ...organisation };
    return { ...program, caller };
  };
  const stored = async () =>
    (await readdir(join(folder, 'files'), { recursive: true })).filter((path) =>
      /^[0-9A-Z]{26}\/\w+\.enc$/.test(path),
    );
  const issued = () => countEventsAt(databaseUrl, 'CertificateIssued');
  return { databaseUrl, start, stored, issued };
}

test('two programs on one storage', async (t) => {
  const { databaseUrl, start, stored, issued } = await createSite(t);
  const programs = await Promise.all([start(), start()]);
  const [program, other] = programs;

  await t.test('asked for a certificate at once issue one, and both serve its bytes', async (t) => {
    for (const round of isThorough ? [1, 2, 3] : [1, 2]) {
      const hash = sha256(Buffer.from(`round ${round}`));
      const { proofId } = await prove(program.caller, hash);
      const answers = await Promise.all(
        [...programs, ...programs, ...programs].map(({ caller }) =>
          fetchCertificate(caller, proofId),
        ),
      );
      t.ok(answers.every(({ status }) => status === 200));
      t.equal(new Set(answers.map(({ bytes }) => sha256(bytes))).size, 1);
      t.equal(await issued(), round);
      t.equal((await stored()).length, round, 'the losing PDF is deleted');
    }
    t.match(await stop(other), { code: 0, stderr: '' });
  });

  await t.test(
    'killed between storing the PDF and recording it have issued no certificate',
    async (t) => {
      const [before, storedBefore] = [await issued(), (await stored()).length];
      const { proofId } = await prove(program.caller, sha256(Buffer.from('x')));
      const client = new pg.Client(databaseUrl);
      await client.connect();
      // Locking the head of the log blocks every append.
      await client.query('BEGIN');
      await client.query('SELECT FROM log_head FOR UPDATE');
      const asked = fetchCertificate(program.caller, proofId).catch(() => null);
      const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until('the PDF is stored and its event waits for the lock', async () => {
        // Within a transaction PostgreSQL shows the activity as it was first asked for.
        await client.query('SELECT pg_stat_clear_snapshot()');
        const { rowCount } = await client.query(waiting);
        return (await stored()).length === storedBefore + 1 && (rowCount ?? 0) > 0;
      });
      program.kill('SIGKILL');
      await program.ended;
      t.equal(await asked, null, 'the caller gets no answer');
      // Without this, PostgreSQL would finish the statements of the dead process.
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await client.query('ROLLBACK');
      await client.end();
      t.equal(await issued(), before);

      const { caller, ...restarted } = await start();
      const { status, bytes } = await fetchCertificate(caller, proofId);
      t.equal(status, 200);
      t.equal(await issued(), before + 1);
      t.equal((await stored()).length, storedBefore + 2, 'the orphan is left to the sweep');
      t.ok((await fetchCertificate(caller, proofId)).bytes.equals(bytes));
      t.match(await stop(restarted), { code: 0, stderr: '' });
    },
  );
});
