import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import { dataOf, verify } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { sha256, someText } from '../support/forms.ts';
import { startHosted, startHostedOnProcess } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { countEventsAt, ready, runProgram, startProgram, stop } from '../support/program.ts';
import { s3Bucket, startS3Server } from '../support/s3-server.ts';
import { until } from '../support/until.ts';
import {
  type DocumentData,
  fetchFile,
  getJson,
  reviseDocument,
  uploadDocument,
  walkLedger,
} from '../support/upload-client.ts';

test('uploads during a ledger outage are stored, queued, and anchored when the ledger is back', async (t) => {
  const { env, databaseUrl, ledger } = await startHostedOnProcess(t, { closeMs: 500 });
  const organisation = await openOrganisation(env);
  const DATA_DIR = await newFolder(t);
  const more = { DATA_DIR, PROOF_WAIT_MS: '1500', LOG_LEVEL: 'fatal' };
  let program = await startProgram(t, { ...env, ...more });
  const caller = () => ({ address: program.address, ...organisation });
  const file = { name: 'a.txt', bytes: someText() };
  // On a busy machine the wait may end before a ledger does; the upload is queued then.
  const first = await until('the upload is anchored', async () => {
    return (await uploadDocument(caller(), file)).body.data;
  });

  ledger.current().kill('SIGKILL');
  await ledger.current().ended;
  const bytes = someText();
  const kept = await uploadDocument(caller(), { name: 'b.txt', bytes });
  t.match(kept, { status: 502, body: { success: false, code: 'PROOF_NOT_RECORDED' } });
  const revised = await reviseDocument(caller(), first.documentId, { name: 'a.txt', bytes: 'v2' });
  t.match(revised, { status: 502, body: { code: 'PROOF_NOT_RECORDED' } });
  const open = dataOf(
    await getJson<DocumentData[]>(caller(), '/documents?blockchainStatus=pending'),
  );
  t.match(open, [
    { revision: 2, txHash: null },
    { fileHash: sha256(bytes), txHash: null },
  ]);
  const [revision, document] = open;
  t.ok(revision && document);
  t.equal(await (await fetchFile(caller(), document?.documentId ?? '')).text(), String(bytes));

  // A restart of the service before the ledger is back must not matter.
  t.match(await stop(program), { code: 0 });
  program = await startProgram(t, { ...env, ...more }, { unready: true });
  await ledger.restart();
  await ready(program.address);
  await until(
    'both are anchored',
    async () => (await countEventsAt(databaseUrl, 'Anchored')) === 3,
  );
  for (const { documentId } of open) {
    const now = await getJson<DocumentData>(caller(), `/documents/${documentId}`);
    t.match(now, { body: { data: { blockchainStatus: 'completed' } } });
    t.match(await verify(program.address, dataOf(now).txHash), {
      body: { data: { verified: true } },
    });
  }
  const last = dataOf(await getJson<DocumentData>(caller(), `/documents/${revision?.documentId}`));
  const walked = await walkLedger(ledger.url, last.txHash);
  t.strictSame(
    walked.map(({ txHash }) => txHash),
    [last.txHash, first.txHash],
  );
  const again = await uploadDocument(caller(), { name: 'b.txt', bytes });
  t.match(again, { status: 200, body: { alreadyProven: true } });
  t.match(await stop(program), { code: 0 });
});

test('uploads, revisions and downloads work on S3, and are answered 503 while S3 is down', async (t) => {
  const { env, databaseUrl } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(env);
  const s3 = await startS3Server(t);
  const DATA_DIR = await newFolder(t);
  const program = await startProgram(t, {
    ...env,
    DATA_DIR,
    LOG_LEVEL: 'fatal',
    STORAGE_URL: `s3://${s3Bucket}/files?endpoint=${encodeURIComponent(s3.endpoint)}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  });
  const caller = { address: program.address, ...organisation };
  const large = Buffer.alloc(12_000_000, someText());
  const first = await uploadDocument(caller, { name: 'large.txt', bytes: large });
  t.equal(first.status, 201);
  const { documentId } = dataOf(first);
  const second = await reviseDocument(caller, documentId, { name: 'a.txt', bytes: 'small' });
  t.match(second, { status: 201, body: { data: { revision: 2 } } });
  t.equal(sha256(await (await fetchFile(caller, documentId)).bytes()), sha256(large));
  t.equal(await (await fetchFile(caller, dataOf(second).documentId)).text(), 'small');

  s3.current().kill('SIGKILL');
  await s3.current().ended;
  const events = await countEventsAt(databaseUrl, 'DocumentStored');
  const file = { name: 'b.txt', bytes: someText() };
  t.match(await uploadDocument(caller, file), {
    status: 503,
    body: { code: 'SERVICE_UNAVAILABLE' },
  });
  t.equal((await fetchFile(caller, documentId)).status, 503);
  t.equal(await countEventsAt(databaseUrl, 'DocumentStored'), events);
  t.equal((await fetch(`${program.address}/readyz`)).status, 200, 'proofs of hashes still work');
  await s3.restart();
  t.match(await uploadDocument(caller, file), { status: 201 });
  t.match(await stop(program), { code: 0 });
});

test('no command and no start makes an unmounted volume look mounted to a running process', async (t) => {
  const { env: hosted } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(hosted);
  const DATA_DIR = await newFolder(t);
  const files = join(DATA_DIR, 'volume');
  const STORAGE_URL = pathToFileURL(files).href;
  const env = {
    ...hosted,
    DATA_DIR,
    STORAGE_URL,
    LOG_LEVEL: 'fatal',
    CHECKPOINT_INTERVAL_MS: '50',
  };
  const program = await startProgram(t, env);
  const caller = { address: program.address, ...organisation };
  const first = await uploadDocument(caller, { name: 'a.txt', bytes: someText() });
  t.equal(first.status, 201);
  await until('a checkpoint is published', async () => {
    const { published } = (await opsJson(t, env, 'log', 'key')) as { published?: unknown };
    return published !== null;
  });

  await rename(files, `${files}-unmounted`);
  await mkdir(files);
  const unmounted = /volume has no \.staging: its volume is not mounted/;
  t.match(await ops(t, env, 'ledger', 'status'), { code: 1, stderr: unmounted });
  t.match(await ops(t, env, 'projection', 'list'), { code: 0 }, 'it needs no files');
  const onlyProjects = { ROLES: 'projector', METRICS_PORT: '0', LOG_LEVEL: 'info' };
  const projector = runProgram(t, { ...env, ...onlyProjects });
  const [, port] = await projector.said(/"port":(\d+),"msg":"metrics are served"/, 'stderr');
  await ready(`http://127.0.0.1:${port}`);
  t.match(await stop(projector), { code: 0 }, 'it needs no files');
  t.match(await runProgram(t, env).ended, { code: 1, stderr: unmounted });
  const { documentId } = dataOf(first);
  const upload = () => uploadDocument(caller, { name: 'b.txt', bytes: 'another' });
  t.match(await upload(), { status: 503 });
  t.equal((await fetchFile(caller, documentId)).status, 503);
  t.strictSame(await readdir(files), [], 'nothing is stored in place of the volume');

  await rmdir(files);
  await rename(`${files}-unmounted`, files);
  t.match(await upload(), { status: 201 });
  t.equal((await fetchFile(caller, documentId)).status, 200);
  t.match(await stop(program), { code: 0 });

  await rename(files, `${files}-lost`);
  t.match(await opsJson(t, env, 'log', 'restored', '--yes'), { restored: true });
  t.strictSame(await readdir(files), ['.staging'], 'made for a log whose files are lost');
});
