import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'tap';
import { loadConfig } from '../../src/config.ts';
import { openObjectStorage } from '../../src/storage/open-object-storage.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';

test('requests to the bucket are signed with the credentials of the files', async (t) => {
  const signedWith: string[] = [];
  const server = createServer((request, response) => {
    signedWith.push(/Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    response.writeHead(403).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const folder = t.testdir({ id: 'FROMFILE', secret: 'hidden', staging: {} });
  const { storageUrl, storageCredentials } = loadConfig({
    STORAGE_URL: `s3://files?endpoint=http://127.0.0.1:${port}&region=eu-central-2`,
    AWS_ACCESS_KEY_ID_FILE: join(folder, 'id'),
    AWS_SECRET_ACCESS_KEY_FILE: join(folder, 'secret'),
  });
  const storage = await openObjectStorage(storageUrl, join(folder, 'staging'), storageCredentials);
  t.teardown(() => storage.close());
  await t.rejects(Array.fromAsync(storage.list()));
  const seen = signedWith.length;
  t.ok(seen > 0);
  const log = await openLogStorage(storageUrl, storageCredentials);
  t.teardown(() => log.close());
  await t.rejects(log.readCheckpoint());
  t.ok(signedWith.length > seen);
  for (const key of signedWith) t.equal(key, 'FROMFILE');
});
