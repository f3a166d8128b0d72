import { spawnSync } from 'node:child_process';
import { test } from 'tap';
import { pageModules as modules } from '../../support/page-modules.ts';
import { projectRoot } from '../../support/run.ts';

const importing = /(?:^import\s(?:[\w\s{},*$]+\sfrom\s*)?|\bawait import\()(['"])([^'"\n]+)\1/gm;

test('serves every module that browsers load, each importing only served modules', async (t) => {
  for (const path of [
    'verify.js',
    'verifier/bundle/extract-bundle.js',
    'domain/proof/commit.js',
    'verifier/check/attested-anchor.js',
    'noble-curves/secp256k1.js',
    'noble-hashes/sha2.js',
    'canonicalize/canonicalize.js',
  ]) {
    t.ok(modules.has(path), path);
  }
  for (const [path, bytes] of modules) {
    const text = bytes.toString().replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, , name = ''] of text.matchAll(importing)) {
      const address = new URL(name, `http://x/pages/${path}`).pathname.replace('/pages/', '');
      t.ok(/^\.{1,2}\//.test(name) && modules.has(address), `${path}: ${name}`);
    }
  }
});

test('serves nothing that browsers do not need', async (t) => {
  for (const path of modules.keys()) t.notMatch(path, /\.(ts|json)$/);
  t.notOk(modules.has('domain/proof/digest-of.js'), 'needs Node');
});

test('strips types without a warning to operators', async (t) => {
  const code =
    "(await import('./src/http/pages/browser-modules.ts')).findBrowserModules().get('domain/proof/commit.js')()";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  t.equal(status, 0);
  t.equal(stderr, '');
});
