import { randomBytes } from 'node:crypto';
import { organisationOfBlob } from '../../src/domain/blob/blob-key.ts';
import { openObjectStorage } from '../../src/storage/open-object-storage.ts';
import { encrypted, factsOf, newBlobKey, streamOf } from './blobs.ts';

/**
 * Puts blobs, three at a time, until it is killed. Prints a line before and after each:
 * `begun KEY SIZE SHA256`, `put KEY`.
 */
const [url = '', stagingFolder = '', sizeBytes = ''] = process.argv.slice(2);
const storage = encrypted(await openObjectStorage(url, stagingFolder));

async function putForEver(): Promise<void> {
  for (;;) {
    const key = newBlobKey();
    const bytes = randomBytes(Number(sizeBytes));
    console.log(`begun ${key} ${bytes.length} ${factsOf(bytes).sha256}`);
    await storage.put(key, await storage.stage(organisationOfBlob(key), streamOf(bytes)));
    console.log(`put ${key}`);
  }
}

await Promise.all([putForEver(), putForEver(), putForEver()]);
