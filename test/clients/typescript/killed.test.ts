import { createHash, createHmac } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import type { FileResult } from '../../../clients/typescript/src/proving/prove-all.ts';
import { newFolder } from '../../support/blobs.ts';
import { startHosted } from '../../support/ledger-process.ts';
import { openOrganisation } from '../../support/open-organisation.ts';
import { countEventsAt, startProgram, stop } from '../../support/program.ts';
import { projectRoot, run } from '../../support/run.ts';
import { until } from '../../support/until.ts';

const files = 40;
const prover = [process.execPath, join(projectRoot, 'test/support/folder-prover.ts')];

test('a client that is killed again and again doubles no proof and loses no nonce', async (t) => {
  const { env: hosted, databaseUrl, ledger } = await startHosted(t, { closeMs: 100 });
  const { key } = await openOrganisation(hosted);
  const program = await startProgram(t, hosted);
  const count = (type: string) => countEventsAt(databaseUrl, type);
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
    // So that the client has no answer to its newest batch yet.
    ledger.faults.haltClosing();
    const killed = run(t, prover, { env });
    await until(`${batches} batches are sent`, async () => (await batchesSent()) >= batches);
    await until('the batch is requested', async () => {
      return (await count('ProofRequested')) === 10 * (settled + 1);
    });
    killed.kill('SIGKILL');
    t.match(await killed.ended, { signal: 'SIGKILL' });
    // Looked up now, its hashes would be proven and without nonces.
    ledger.faults.resumeClosing();
    await until('the batch without a client is anchored', async () => {
      return (await count('Anchored')) === 10 * (settled + 1);
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
  t.equal(await count('ProofRequested'), files, 'each is requested once');
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
