import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { BlobTooOld } from '../../../src/domain/blob/orphan.ts';
import { statusOf } from '../../../src/http/errors/error-code.ts';
import { replyToError } from '../../../src/http/errors/reply-to-error.ts';
import { newBlobKey } from '../../support/blobs.ts';
import { projectRoot } from '../../support/run.ts';

test('the API guide lists exactly the error codes, each under its status', async (t) => {
  const guide = await readFile(join(projectRoot, 'docs/api.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| (\d{3}(?:, \d{3})*) \| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)];
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

test('an upload so slow that its bytes may be swept asks for a repetition', async (t) => {
  t.match(replyToError(new BlobTooOld(newBlobKey())), {
    status: 503,
    headers: { 'Retry-After': /^[1-9]\d*$/ },
    body: { success: false, code: 'SERVICE_UNAVAILABLE', message: /upload the file again/ },
  });
});
