import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { folderOnDisk, projectRoot } from './run.ts';

const execute = promisify(execFile);
const needed = ['package.json', 'README.md', 'src', 'projections', 'migrations', 'node_modules'];

/**
 * The project as installed, in a folder that only `owner` can enter; removed after the test. Files
 * are hard links where that will do, so it takes little time and space: nothing may write to them.
 */
export async function copyProject(
  t: Pick<Test, 'teardown'>,
  owner: { readonly uid: number; readonly gid: number },
): Promise<string> {
  const folder = await mkdtemp(join(folderOnDisk, 'proofmark-project-'));
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const project = join(folder, 'project');
  await mkdir(project, { mode: 0o755 });
  const files = needed.map((name) => join(projectRoot, name));
  if (!(await link(files, project))) {
    await execute('cp', ['-a', ...files, project]);
    await execute('chmod', ['-R', 'a+rX', project]);
  }
  for (const path of [project, folder]) await chown(path, owner.uid, owner.gid);
  await chmod(folder, 0o700);
  return project;
}

/** False where it cannot be done, or another user could not read what is linked. */
async function link(files: readonly string[], project: string): Promise<boolean> {
  const { mode } = await stat(join(projectRoot, 'package.json'));
  if ((mode & 0o004) === 0) return false;
  try {
    await execute('cp', ['-al', ...files, project]);
    return true;
  } catch {
    // Another file system.
    await rm(project, { recursive: true });
    await mkdir(project, { mode: 0o755 });
    return false;
  }
}
