import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { newFolder } from '../../support/blobs.ts';
import { readDocument } from '../../support/documents.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { installClient, startRegistry } from '../../support/packed-client.ts';
import { firstKey, newDataDir, startProgram, stop } from '../../support/program.ts';
import { projectRoot, run } from '../../support/run.ts';

const { blocks } = readDocument('docs/api.md');
const shell = blocks.find(({ language, text }) => language === 'bash' && /npm pack/.test(text));
const program = blocks.find(({ language, text }) => language === 'js' && /proveAll/.test(text));

test('a new user installs the TypeScript client, and proves ten files in a minute', async (t) => {
  if (shell === undefined || program === undefined) throw new Error('the guide has no example');
  const service = await startProgram(t, { DATA_DIR: await newDataDir(t) });
  const { key } = await firstKey(service);
  const cwd = await newFolder(t);
  await writeFile(join(cwd, 'prove.mjs'), program.text);
  const registry = await startRegistry(t);
  const env = { ...registry, REPOSITORY: projectRoot, ROOT: service.address, KEY: key };
  const startedAt = performance.now();
  const { code, stdout, stderr } = await run(t, ['bash', '-ec', shell.text], { cwd, env }).ended;
  const tookMs = performance.now() - startedAt;
  t.ok(tookMs < (await onThisMachine(60_000)), `${tookMs} ms`);
  t.equal(code, 0, stderr);
  const proven = [...stdout.matchAll(/^(\d+)\.txt 20\S+Z notProvenYet$/gm)];
  t.equal(new Set(proven.map(([, file]) => file)).size, 10, stdout);
  t.equal((await readdir(join(cwd, 'certificates'))).length, 10);
  t.match(await stop(service), { code: 0 });
});

const typed = `import { Proofmark, type FileResult } from '@proofmark/client';
import { ProofmarkError } from '@proofmark/client/errors';
import { hashFile } from '@proofmark/client/hashing';
import type { components } from '@proofmark/client/openapi';
import { verifyWebhook } from '@proofmark/client/webhooks';

const proofmark = new Proofmark({ server: 'https://proofs.example.org' });
const { hash } = await hashFile(new Uint8Array());
const { body } = await proofmark.api.GET('/proofs/{proofId}', { params: { path: { proofId: hash } } });
export const status: string = body.data.blockchainStatus;
export const kind: components['schemas']['ProofData']['txHash'] = body.data.txHash;
for await (const { runId } of proofmark.list('/agent/runs')) console.log(runId satisfies string);
for await (const result of proofmark.proveAll('folder')) {
  const checked: FileResult = result;
  if (checked.status === 'failed') throw checked.error satisfies ProofmarkError;
}
const event = verifyWebhook({ secret: '', headers: {}, body: '' });
if (event.type === 'proof.completed') console.log(event.data.txHash);
// @ts-expect-error: no such path
await proofmark.api.GET('/nothing');
// @ts-expect-error: a parameter is missing
await proofmark.api.GET('/proofs/{proofId}');
// @ts-expect-error: no list
proofmark.list('/proofs/{proofId}');
`;

test('the types of the published client check calls, in strict projects and without those of Node', async (t) => {
  const cwd = await installClient(t);
  const options = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, types: [] },
    ...{
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      exactOptionalPropertyTypes: true,
    },
    ...{ noUncheckedIndexedAccess: true, verbatimModuleSyntax: true, skipLibCheck: false },
  };
  await mkdir(join(cwd, 'src'));
  await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  await writeFile(join(cwd, 'src/calls.ts'), typed);
  for (const version of ['typescript', 'typescript-5']) {
    const tsc = join(projectRoot, 'node_modules', version, 'bin/tsc');
    const compiled = await run(t, [process.execPath, tsc, '-p', cwd], { cwd }).ended;
    t.match(compiled, { code: 0, stdout: '' }, version);
  }
});
