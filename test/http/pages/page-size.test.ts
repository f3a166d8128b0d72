import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'tap';
import { readBrowserModules } from '../../../src/http/pages/browser-modules.ts';

const modules = readBrowserModules();
const evidence = 'verifier/check/attested-anchor.js';

/** Modules that a script needs, without those that it imports later. */
function neededBy(...scripts: readonly string[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const todo = [...scripts];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (needed.has(path)) continue;
    needed.add(path);
    const text =
      modules
        .get(path)
        ?.toString()
        .replace(/\/\*[\s\S]*?\*\//g, '') ?? '';
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\s[^;]*?['"](\.[^'"]+)['"]/gm)) {
      todo.push(posix.join(posix.dirname(path), name));
    }
  }
  return needed;
}

function sizeOf(paths: Iterable<string>) {
  const all = [...paths].map((path) => modules.get(path) ?? Buffer.alloc(0));
  const bytes = (buffers: readonly Buffer[]) =>
    buffers.reduce((sum, { length }) => sum + length, 0);
  return {
    modules: all.length,
    kB: Math.ceil(bytes(all) / 1_000),
    packedKB: Math.ceil(bytes(all.map((one) => gzipSync(one))) / 1_000),
  };
}

test('the verifier of signatures is loaded after the page, and keeps it small', async (t) => {
  const page = neededBy('verify.js', 'reading-worker.js');
  t.notOk(page.has(evidence), 'the page does not wait for it');
  const later = [...neededBy(evidence)].filter((path) => !page.has(path));
  t.ok(later.includes('verifier/evidence/verify-signature.js'));
  const sizes = { page: sizeOf(page), later: sizeOf(later) };
  t.comment(JSON.stringify(sizes));
  t.ok(sizes.page.packedKB < 100, 'transferred before the page works');
  t.ok(sizes.later.packedKB < 150, 'transferred after it');
});
