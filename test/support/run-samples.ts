import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { newFolder } from './blobs.ts';
import type { SampleLanguage } from './reference-samples.ts';
import { run } from './run.ts';

/** Output of an example, and whether it ended without an error. */
export interface SampleOutcome {
  readonly ok: boolean;
  readonly text: string;
}

const runners = join(import.meta.dirname, 'sample-runners');
const endings = { curl: 'sh', typescript: 'ts', python: 'py' } as const;
const commands = {
  curl: ['sh', join(runners, 'run.sh')],
  typescript: [process.execPath, join(runners, 'run.mjs')],
  python: ['python3', join(runners, 'run.py')],
} as const;

/**
 * Runs examples in a new folder that has the file of all examples. Resolves with the outcome of each,
 * and with the folder.
 */
export async function runSamples(
  t: Pick<Test, 'teardown'>,
  language: SampleLanguage,
  samples: ReadonlyMap<string, string>,
  key: string,
) {
  const root = await newFolder(t);
  const folder = join(root, 'samples');
  await mkdir(folder, { recursive: true });
  await writeFile(join(root, 'package.json'), '{ "type": "module" }');
  await writeFile(join(root, 'proofmark.txt'), 'Proofmark\n');
  for (const [name, text] of samples) {
    await writeFile(join(folder, `${name}.${endings[language]}`), text);
  }
  const options = { cwd: root, env: { KEY: key } };
  const { code, stdout, stderr } = await run(t, [...commands[language], folder], options).ended;
  if (code !== 0) throw new Error(`the examples in ${language} did not run: ${stderr}`);
  const outcomes = language === 'curl' ? await outcomesIn(folder) : JSON.parse(stdout);
  return { folder: root, outcomes: outcomes as Readonly<Record<string, SampleOutcome>> };
}

async function outcomesIn(folder: string): Promise<Record<string, SampleOutcome>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sh'));
  const outcomes = names.map(async (name): Promise<[string, SampleOutcome]> => {
    const [text, code] = await Promise.all([
      readFile(join(folder, `${name}.out`), 'utf8'),
      readFile(join(folder, `${name}.code`), 'utf8'),
    ]);
    return [name.replace('.sh', ''), { ok: code.trim() === '0', text }];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}
