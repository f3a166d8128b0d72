import { resolve } from 'node:path';
import { test } from 'tap';
import { readConnection } from '../../src/embedded/postgres/connection-file.ts';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { query } from '../embedded/run-service.ts';
import { dataOf, getProof, hashOf, postProof, prove } from '../support/api-client.ts';
import { takeBaseBackup } from '../support/base-backup.ts';
import { firstKey, newDataDir, runProgram, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

test('a database restored to its newest state serves all proofs; one restored to an older state is refused', async (t) => {
  const dataDir = await newDataDir(t);
  const env = { DATA_DIR: dataDir, CHECKPOINT_INTERVAL_MS: '50' };
  const program = await startProgram(t, env);
  const caller = { address: program.address, ...(await firstKey(program)) };
  const before = await prove(caller, hashOf('before the backup'));
  const { url = '' } = (await findEmbeddedPostgres({ dataDir })) ?? {};
  const { cluster = '' } = (await readConnection(dataDir)) ?? {};
  const backup = await takeBaseBackup(url, resolve(dataDir, cluster));
  const after = await prove(caller, hashOf('after the backup'));
  await until('a checkpoint covers the proof', async () => {
    const [row] = await query(
      url,
      `SELECT (SELECT max(size) FROM published_checkpoints) >=
         (SELECT max(position) FROM events WHERE stream = 'proof-${after.proofId}') AS covered`,
    );
    return row?.covered === true;
  });
  t.equal((await stop(program)).code, 0);

  await backup.restore('latest');
  const restored = await startProgram(t, env);
  const again = { ...caller, address: restored.address };
  for (const { proofId, txHash } of [before, after]) {
    t.match(dataOf(await getProof(again, proofId)), { txHash, blockchainStatus: 'completed' });
  }
  t.match(
    await postProof(again, hashOf('after the backup')),
    { status: 200 },
    'no hash is anchored twice',
  );
  await prove(again, hashOf('after the restore'));
  t.equal((await stop(restored)).code, 0);

  await backup.restore('backup');
  const { code, stderr } = await runProgram(t, env).ended;
  t.equal(code, 1);
  t.match(stderr, /was published up to event \d+ .*but the database ends at event \d+/);
  t.match(stderr, /log restored/, 'the message names the next action');
});
