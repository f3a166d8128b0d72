import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { type Caller, dataOf, recipe, verify } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { sha256, someText } from '../support/forms.ts';
import { ledgerOf } from '../support/own-ledger.ts';
import { firstKey, newDataDir, type Program, startProgram, stop } from '../support/program.ts';
import { projectRoot, run } from '../support/run.ts';
import {
  type DocumentData,
  fetchFile,
  getJson,
  reviseDocument,
  uploadDocument,
  walkLedger,
} from '../support/upload-client.ts';

const samples = join(projectRoot, 'test/byte-verification/samples');

test('documents of a program that restarts', async (t) => {
  const dataDir = await newDataDir(t);
  const program = await startProgram(t, { DATA_DIR: dataDir });
  const caller = { address: program.address, ...(await firstKey(program)) };
  const restart = async () => {
    t.match(await stop(program), { code: 0, stderr: '' });
    return startProgram(t, { DATA_DIR: dataDir });
  };
  let restarted = program;
  await t.test('files uploaded by curl and fetch can be downloaded afterwards', async (t) => {
    restarted = await uploadAndDownload(t, caller, restart);
  });
  await t.test('memos lead from the latest revision back to the first upload', (t) =>
    walkRevisions(t, dataDir, { ...caller, address: restarted.address }),
  );
  t.match(await stop(restarted), { code: 0, stderr: '' });
});

async function uploadAndDownload(
  t: Test,
  caller: Caller,
  restart: () => Promise<Program>,
): Promise<Program> {
  const folder = await newFolder(t);
  const name = 'Prüfbericht (1).pdf';
  await writeFile(join(folder, name), await readFile(join(samples, 'note.pdf')));

  const curl = run(
    t,
    [
      'curl',
      '-sS',
      `${caller.address}/api/v1/documents`,
      '-H',
      `Authorization: Bearer ${caller.key}`,
      '-F',
      `workspace=${caller.workspace}`,
      '-F',
      `file=@${name};type=application/pdf`,
      '-F',
      'description=der Befund',
      '-w',
      '\n%{http_code}',
    ],
    { cwd: folder },
  );
  const { stdout } = await curl.ended;
  const [text = '', status] = stdout.split('\n');
  t.equal(status, '201', stdout);
  const sent = JSON.parse(text).data as DocumentData;
  const bytes = await readFile(join(folder, name));
  t.match(sent, { fileName: name, fileHash: sha256(bytes), mimeType: 'application/pdf' });
  t.match(sent, { description: 'der Befund', blockchainStatus: 'completed' });
  const { data } = (await verify(caller.address, sent.txHash)).body;
  t.match(data, { verified: true, memo: { fileHash: recipe(sha256(bytes), sent) } });

  const docx = { name: 'note.docx', bytes: await readFile(join(samples, 'note.docx')) };
  const fetched = dataOf(await uploadDocument(caller, docx));
  t.match(await uploadDocument(caller, { ...docx, name: 'note.pdf' }), {
    status: 422,
    body: { code: 'FILE_BYTES_NOT_VERIFIED' },
  });

  const second = await restart();
  const later = { ...caller, address: second.address };
  for (const [{ documentId }, expected] of [
    [sent, bytes],
    [fetched, docx.bytes],
  ] as const) {
    const response = await fetchFile(later, documentId);
    t.equal(response.status, 200);
    t.equal(sha256(await response.bytes()), sha256(expected));
  }
  const download = run(
    t,
    [
      'curl',
      '-sSOJ',
      `${later.address}/api/v1/documents/${fetched.documentId}/file`,
      '-H',
      `Authorization: Bearer ${caller.key}`,
    ],
    { cwd: folder },
  );
  t.match(await download.ended, { code: 0 });
  t.same(await readFile(join(folder, 'note.docx')), docx.bytes, "saved under the document's name");
  return second;
}

async function walkRevisions(t: Test, dataDir: string, caller: Caller): Promise<void> {
  const file = () => ({ name: 'contract.txt', bytes: someText() });
  const first = dataOf(await uploadDocument(caller, file()));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => reviseDocument(caller, first.documentId, file())),
  );
  t.strictSame(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  const { documentId } = first;
  const path = `/documents/${documentId}/versions`;
  const versions = dataOf(await getJson<DocumentData[]>(caller, path));
  t.strictSame(
    versions.map(({ revision }) => revision),
    [1, 2, 3, 4, 5],
  );
  const { url } = await ledgerOf(dataDir);
  const walked = await walkLedger(url, versions.at(-1)?.txHash ?? null);
  t.strictSame(
    walked,
    versions
      .toReversed()
      .map(({ txHash, proofCommitment }) => ({ txHash, fileHash: proofCommitment })),
  );
  for (const { txHash } of walked) {
    t.match(await verify(caller.address, txHash), { body: { data: { verified: true } } });
  }
}
