import { createHash, createHmac } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import type { FileResult } from '../../../clients/typescript/src/proving/prove-all.ts';
import { newFolder } from '../../support/blobs.ts';
import { countEvents, firstKey, newDataDir, startProgram, stop } from '../../support/program.ts';
import { projectRoot, run } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const files = 40;
const prover = [process.execPath, join(projectRoot, 'test/support/folder-prover.ts')];

test('a client that is killed again and again doubles no proof and loses no nonce', async (t) => {
  const program = await startProgram(t, {
    DATA_DIR: await newDataDir(t),
    // Long enough to kill the client before a ledger closes, also on a busy machine.
    STANDALONE_CLOSE_MS: '2000',
  });
  const { key } = await firstKey(program);
  const place = await newFolder(t);
  const [FOLDER, JOURNAL] = [join(place, 'folder'), join(place, 'journal')];
  await mkdir(FOLDER);
  const names = Array.from({ length: files }, (_, at) => `${at}.txt`.padStart(6, '0'));
  for (const name of names) await writeFile(join(FOLDER, name), `content of ${name}`);
  const env = { SERVER: program.address, KEY: key, FOLDER, JOURNAL, BATCH: '10' };

  const batchesSent = async () => {
    const text = await readFile(JOURNAL, 'utf8').catch(() => '');
    return text.match(/^\{"sent"/gm)?.length ?? 0;
  };
  // The next run sends the last batch of the one before again, and then one more.
  for (const [settled, batches] of [1, 3, 5].entries()) {
    const killed = run(t, prover, { env });
    await until(`${batches} batches are sent`, async () => (await batchesSent()) >= batches);
    // The service has the batch, and no ledger has closed since, so the answer is still to come.
    await until('the batch is requested', async () => {
      const requested = await countEvents(program.dataDir, 'ProofRequested');
      return requested === 10 * (settled + 1);
    });
    killed.kill('SIGKILL');
    t.match(await killed.ended, { signal: 'SIGKILL' });
    // Looked up now, its hashes would be proven and without nonces.
    await until('the batch without a client is anchored', async () => {
      const anchored = await countEvents(program.dataDir, 'Anchored');
      return anchored === 10 * (settled + 1);
    });
  }
  const { code, stdout, stderr } = await run(t, prover, { env }).ended;
  t.equal(code, 0, stderr);

  const results: FileResult[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.strictSame(
    results.map(({ name }) => name),
    names,
  );
  t.equal(await countEvents(program.dataDir, 'ProofRequested'), files, 'each is requested once');
  const { api } = new Proofmark({ server: program.address });
  for (const result of results) {
    if (result.status === 'failed') throw result.error;
    const { name, hash, proof } = result;
    t.equal(hash, createHash('sha256').update(`content of ${name}`).digest('hex'));
    const { body } = await api.GET('/api/public/verify/{txHash}', {
      params: { path: { txHash: proof.txHash } },
    });
    const nonce = Buffer.from(proof.proofNonce ?? '', 'hex');
    const commitment = createHmac('sha256', nonce).update(hash, 'hex').digest('hex');
    t.equal(body.data.memo?.fileHash, commitment, name);
  }
  t.match(await stop(program), { code: 0 });
});
