import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { folderOnDisk, projectRoot } from './run.ts';

const execute = promisify(execFile);
const sources = ['package.json', 'README.md', 'src', 'projections', 'migrations'];

/**
 * Copies the project and the packages that it needs at runtime into a folder that only `owner` can enter;
 * removed after the test. Files are hard links where possible, to save time and space: nothing may write to
 * them.
 */
export async function copyProject(
  t: Pick<Test, 'teardown'>,
  owner: { readonly uid: number; readonly gid: number },
): Promise<string> {
  const folder = await mkdtemp(join(folderOnDisk, 'proofmark-project-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const project = join(folder, 'project');
  await mkdir(project, { mode: 0o755 });
  const places = byFolder([...sources, ...(await installedPackages())]);
  if (!(await link(places, project))) {
    await copy(places, project, '-a');
    await execute('chmod', ['-R', 'a+rX', project]);
  }
  for (const path of [project, folder]) await chown(path, owner.uid, owner.gid);
  await chmod(folder, 0o700);
  return project;
}

/** Packages that programs need at runtime: all but those of development, and Node itself. */
async function installedPackages(): Promise<string[]> {
  const text = await readFile(join(projectRoot, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, { dev?: true }> };
  const isNeeded = (path: string) => path === 'node_modules/node' || !packages[path]?.dev;
  const isNested = /\/node_modules\//;
  const paths = Object.keys(packages).filter((path) => isNeeded(path) && !isNested.test(path));
  return ['node_modules/.bin', ...paths];
}

/** Groups paths by their folder. */
function byFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(paths, (path) => dirname(path));
}

async function copy(
  places: ReadonlyMap<string, readonly string[]>,
  project: string,
  how: string,
): Promise<void> {
  for (const [folder, paths] of places) {
    const target = join(project, folder);
    await mkdir(target, { recursive: true, mode: 0o755 });
    await execute('cp', [how, ...paths.map((path) => join(projectRoot, path)), target]);
  }
}

/** Links the files; false if linking fails or `owner` could not read them. */
async function link(
  places: ReadonlyMap<string, readonly string[]>,
  project: string,
): Promise<boolean> {
  const { mode } = await stat(join(projectRoot, 'package.json'));
  if ((mode & 0o004) === 0) return false;
  try {
    await copy(places, project, '-al');
    return true;
  } catch {
    // The folder is on another file system.
    await rm(project, { recursive: true });
    await mkdir(project, { mode: 0o755 });
    return false;
  }
}
