import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { openObjectStorage } from '../../src/storage/open-object-storage.ts';
import { operation } from '../session/operation.ts';
import { encryptStored } from '../storage/encrypt-stored.ts';
import { openProgressLine } from '../terminal/progress-line.ts';

/** Adds `storage …`: the stored files. */
export function addStorageCommands(program: Command): void {
  const group = program.command('storage').description('the stored files of documents');
  const encrypt = group
    .command('encrypt')
    .description('encrypt the files that releases before 0.2.0 stored in clear; may be repeated');
  operation<[], object>(encrypt, async ({ store, pool, masterKeys, cancelled }) => {
    const { storageUrl, storageCredentials, dataDir } = loadConfig(process.env);
    const staging = join(dataDir, 'staging');
    const objects = await openObjectStorage(storageUrl, staging, storageCredentials, {
      mayCreate: false,
    });
    const progress = openProgressLine('files');
    try {
      const dataKeys = createKeyring(pool, masterKeys);
      const onFile = (done: number, total: number) => progress.update('encrypting', done, total);
      const found = await encryptStored({ store, objects, dataKeys, onFile, cancelled });
      const { encrypted, damaged, unnamed } = found;
      if (damaged.length > 0) process.exitCode = 1;
      const lines = [
        `${encrypted} files were stored in clear and are encrypted now`,
        ...(unnamed > 0
          ? [
              `${unnamed} plain files belong to no document, or to an erased organisation: the service deletes them within a day`,
            ]
          : []),
        ...damaged.map(
          (key) => `damaged, left as it is: ${key}; restore it from a backup of the storage`,
        ),
      ];
      return { json: found, text: lines.join('\n') };
    } finally {
      progress.end();
      await objects.close();
    }
  });
}
