import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
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

/** A script without comments. */
const uncommented = (script: string) =>
  script.replace(/^[ \t]*\/\/ .*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');

test('leaves comments out, and keeps lines and licences', async (t) => {
  for (const [path, bytes] of modules) t.notMatch(bytes.toString(), /^\s*\/\*\*\s*$/m, path);
  t.match(String(modules.get('noble-curves/utils.js')), 'MIT License');
  const essence = (text: string) =>
    uncommented(text)
      .replace(/'(?:[^'\n]+\.[jt]s|@[^'\n]+)'/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  const folder = join(projectRoot, 'src/pages');
  for (const name of globSync('*.js', { cwd: folder })) {
    const written = readFileSync(join(folder, name), 'utf8');
    const served = String(modules.get(name));
    t.equal(essence(served), essence(written), name);
    t.equal(served.split('\n').length, written.split('\n').length, `${name}: lines`);
  }
});

test('serves TypeScript as Node strips it, apart from blanks and comments', async (t) => {
  const source = join(projectRoot, 'src');
  for (const name of globSync('{verifier,domain}/**/*.ts', { cwd: source })) {
    const module = modules.get(name.replace(/ts$/, 'js'));
    if (module === undefined) continue;
    const written = readFileSync(join(source, name), 'utf8');
    const [served, stripped] = [String(module), stripTypeScriptTypes(written)];
    t.equal(served.split('\n').length, written.split('\n').length, `${name}: lines`);
    const essence = (text: string) =>
      uncommented(text).replace(/'(?:[^'\n]+\.[jt]s|@[^'\n]+|canonicalize)'/g, '');
    for (const part of [/[\w$]+/g, /[^\w\s$]/g]) {
      t.strictSame(essence(served).match(part), essence(stripped).match(part), name);
    }
  }
});

test('serves nothing that browsers do not need', async (t) => {
  for (const path of modules.keys()) t.notMatch(path, /\.(ts|json)$/);
  t.notOk(modules.has('domain/proof/digest-of.js'), 'needs Node');
  for (const name of globSync('*.ts', { cwd: join(projectRoot, 'src/pages') })) {
    t.notOk(modules.has(name.replace(/ts$/, 'js')), `${name} has types alone`);
  }
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
