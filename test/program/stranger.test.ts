import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import type { Quickstart } from '../../src/http/quickstart/quickstart-schema.ts';
import { newFolder } from '../support/blobs.ts';
import { followRecipe, recipeOf } from '../support/follow-recipe.ts';
import { ledgerOf } from '../support/own-ledger.ts';
import { firstKey, newDataDir, startProgram, stop } from '../support/program.ts';
import { projectRoot, run } from '../support/run.ts';

const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');

test('a client with generated types proves and uploads, and its certificate checks out by the quickstart', async (t) => {
  const dataDir = await newDataDir(t);
  const program = await startProgram(t, { DATA_DIR: dataDir });
  const { key } = await firstKey(program);
  const folder = join(await newFolder(t), 'client');
  await cp(join(projectRoot, 'test/typed-client/project'), folder, { recursive: true });
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));

  const node = (...args: string[]) => run(t, [process.execPath, ...args], { cwd: folder }).ended;
  const generate = join(projectRoot, 'ops/generate-client.ts');
  const document = `${program.address}/api/v1/openapi.json`;
  const generated = await node(generate, document, join(folder, 'proofmark.d.ts'));
  t.match(generated, { code: 0, stderr: '' });
  const compiled = await node(tsc, '-p', folder);
  t.match(compiled, { code: 0, stdout: '' }, 'correct calls compile, wrong ones do not');

  const { stdout } = await node(join(folder, 'client.ts'), program.address, key);
  const did = JSON.parse(stdout);
  t.match(did, {
    sameNonce: true,
    blockchainStatus: 'completed',
    certificateType: 'application/pdf',
    certificateBegins: '%PDF-',
    uploadedStatus: 201,
    fileName: 'there.txt',
    listed: ['there.txt'],
    total: 1,
    verified: true,
    why: 'INVALID_HASH',
  });

  const docs = (await (await fetch(`${program.address}/api/v1/docs`)).json()) as {
    readonly data: Quickstart;
  };
  const [account] = docs.data.anchoringAccounts;
  const file = join(folder, 'a file');
  await writeFile(file, 'a file that stays here');
  const variables = {
    FILE: file,
    API_KEY: key,
    PROOF_ID: did.proofId,
    CERTIFICATE: join(folder, 'certificate.pdf'),
    LEDGER: (await ledgerOf(dataDir)).url,
    ACCOUNT: account?.address ?? '',
  };
  const recipe = recipeOf(docs.data.verification.recipes, 'certificate');
  t.equal(await followRecipe(recipe, variables, projectRoot), true);
  t.match(await stop(program), { code: 0, stderr: '' });
});
