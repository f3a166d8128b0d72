import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { filesOf } from '../../../clients/typescript/cli/files-of-arguments.ts';
import { filled } from '../../support/proving-site.ts';

test('a pattern names files and links to files, and opens no folder by itself', async (t) => {
  const folder = await filled(t, {
    'in/scan1': '1',
    'in/scans/a.txt': 'a',
    'in/scans/deep/b.txt': 'b',
    'out/c.txt': 'c',
  });
  const inside = join(folder, 'in');
  await symlink(join(folder, 'out/c.txt'), join(inside, 'scans', 'file.txt'));
  const namesOf = async (pattern: string) => {
    const files = await filesOf([join(inside, pattern)], { recursive: false, without: [] });
    return files.map(({ name, sentName }) => sentName && name.slice(name.indexOf('/in/') + 4));
  };
  t.strictSame(await namesOf('scan?'), ['scan1']);
  t.strictSame(await namesOf('{scans,nothing}'), [null], 'a folder alone is no file');
  t.strictSame(await namesOf('scans/**/*.txt'), [
    'scans/a.txt',
    'scans/deep/b.txt',
    'scans/file.txt',
  ]);
});
