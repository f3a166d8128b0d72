import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newFolder } from './blobs.ts';
import { projectRoot, run } from './run.ts';

const isEnough = 'import sys; sys.exit(sys.version_info < (3, 9))';

/** Reason to skip tests of the Python client; false if there is a Python that runs it. */
export const noPython =
  spawnSync('python3', ['-c', isEnough]).status !== 0 &&
  'NO PYTHON 3.9 OR NEWER, so the Python client is not tested';

if (noPython) console.error(noPython);

/** Folder of the Python client. */
export const clientFolder = join(projectRoot, 'clients/python');

/** Builds the package and unpacks it. Resolves with a folder for PYTHONPATH. */
export async function installedPackage(t: Test): Promise<string> {
  const folder = await newFolder(t);
  const script = `import sys, zipfile
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import os, proofmark_build
name = proofmark_build.build_wheel(sys.argv[2])
zipfile.ZipFile(os.path.join(sys.argv[2], name)).extractall(sys.argv[2])`;
  const build = ['python3', '-c', script, join(clientFolder, 'build'), folder];
  const { code, stderr } = await run(t, build).ended;
  if (code !== 0) throw new Error(`the Python client was not built: ${stderr}`);
  return folder;
}

/** Runs a file of Python's unittest beside this one. Each of its tests becomes an assertion. */
export async function runUnittest(
  t: Test,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = join(projectRoot, 'test/clients/python', name);
  const variables = { PYTHONPATH: await installedPackage(t), PYTHONDONTWRITEBYTECODE: '1', ...env };
  const { code, stderr } = await run(t, ['python3', '-W', 'ignore', file, '-v'], { env: variables })
    .ended;
  const results = [
    ...stderr.matchAll(/^(test_\w+) \(.*?(?: \.\.\. |\n.*? \.\.\. )(ok|FAIL|ERROR)$/gms),
  ];
  for (const [, test = '', result] of results) t.equal(result, 'ok', test.replaceAll('_', ' '));
  const [, ran = '0'] = /^Ran (\d+) tests?/m.exec(stderr) ?? [];
  t.ok(Number(ran) > 0);
  t.equal(results.length, Number(ran), 'every test is counted');
  t.equal(code, 0, code === 0 ? 'all pass' : stderr);
}
