import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { FileStorage } from '../../src/storage/file-storage.ts';
import { newFolder } from '../support/blobs.ts';
import { type StorageSite, testBlobStorage } from './blob-storage-contract.ts';

async function newSite(t: Test): Promise<StorageSite> {
  const folder = join(await newFolder(t), 'files');
  const write = async (name: string, content: Buffer | string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  return {
    storage: await FileStorage.open(folder),
    url: pathToFileURL(folder).href,
    stagingFolder: join(folder, '.staging'),
    atomic: true,
    overwrite: write,
    litter: (name, text = 'litter') => write(name, text),
    async unreachable() {
      const gone = join(await newFolder(t), 'gone');
      const storage = await FileStorage.open(gone);
      await rm(gone, { recursive: true });
      await writeFile(gone, 'no folder any more');
      return storage;
    },
  };
}

testBlobStorage(newSite, { largeBytes: 12_000_000 });
