import { gzipSync } from 'node:zlib';
import { test } from 'tap';
import {
  neededBy,
  neededByVerify,
  pageModules,
  signatureVerifier,
} from '../../support/page-modules.ts';

function sizeOf(paths: Iterable<string>) {
  const all = [...paths].map((path) => pageModules.get(path) ?? Buffer.alloc(0));
  const bytes = (buffers: readonly Buffer[]) =>
    buffers.reduce((sum, { length }) => sum + length, 0);
  return {
    modules: all.length,
    kB: Math.ceil(bytes(all) / 1_000),
    packedKB: Math.ceil(bytes(all.map((one) => gzipSync(one))) / 1_000),
  };
}

test('the verifier of signatures is loaded after the page, and keeps it small', async (t) => {
  t.notOk(neededByVerify.has(signatureVerifier), 'the page does not wait for it');
  const later = [...neededBy(signatureVerifier)].filter((path) => !neededByVerify.has(path));
  t.ok(later.includes('verifier/evidence/verify-signature.js'));
  const sizes = { page: sizeOf(neededByVerify), later: sizeOf(later) };
  t.comment(JSON.stringify(sizes));
  t.ok(sizes.page.packedKB < 105, 'transferred before the page works');
  t.ok(sizes.later.packedKB < 150, 'transferred after it');
});

test('the page of the log with its verifier is small', async (t) => {
  const size = sizeOf(neededBy('log.js'));
  t.comment(JSON.stringify(size));
  t.ok(size.packedKB < 150, 'transferred before the page works');
});
