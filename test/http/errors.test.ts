import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { BlobTooOld } from '../../src/domain/blob/orphan.ts';
import { replyToError, statusOf } from '../../src/http/errors.ts';
import { newBlobKey } from '../support/blobs.ts';
import { projectRoot } from '../support/run.ts';

test('the README lists every code under its status, and no other', async (t) => {
  const readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (\d{3}(?:, \d{3})*) \| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)];
  const listed = new Map<string, readonly string[]>();
  for (const [, statuses = '', codes = ''] of rows) {
    for (const [, code = ''] of codes.matchAll(/`([A-Z_]+)`/g)) {
      listed.set(code, statuses.split(', '));
    }
  }
  t.strictSame([...listed.keys()].sort(), Object.keys(statusOf).sort());
  for (const [code, status] of Object.entries(statusOf)) {
    t.ok(listed.get(code)?.includes(String(status)), `${code} is ${status}`);
  }
});

test('an upload that took so long that its bytes may be swept is to be sent again', async (t) => {
  t.match(replyToError(new BlobTooOld(newBlobKey())), {
    status: 503,
    headers: { 'Retry-After': /^[1-9]\d*$/ },
    body: { success: false, code: 'SERVICE_UNAVAILABLE', message: /upload it again/ },
  });
});
