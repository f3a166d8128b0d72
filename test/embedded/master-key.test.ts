import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { KeyFileError } from '../../src/embedded/key-file.ts';
import { readOrCreateLogKey } from '../../src/embedded/log-key.ts';
import { readOrCreateMasterKey } from '../../src/embedded/master-key.ts';

const modulePath = join(import.meta.dirname, '../../src/embedded/master-key.ts');

test('the first call creates the key for the owner alone, and later calls read it', async (t) => {
  const dataDir = join(t.testdir(), 'new', 'var');
  const key = await readOrCreateMasterKey(dataDir);
  t.equal(key.length, 32);
  t.same(await readOrCreateMasterKey(dataDir), key);
  const file = join(dataDir, 'master-key');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.equal((await stat(dataDir)).mode & 0o777, 0o700);
  t.equal(await readFile(file, 'utf8'), `${key.toString('base64')}\n`);
  t.strictSame(await readdir(dataDir), ['master-key'], 'no other file is left');
  await chmod(file, 0o644);
  await readOrCreateMasterKey(dataDir);
  t.equal((await stat(file)).mode & 0o777, 0o600, 'resets a mode opened to others');
});

test('never replaces a damaged key', async (t) => {
  const dataDir = t.testdir({ 'master-key': 'c2hvcnQ=\n' });
  await t.rejects(readOrCreateMasterKey(dataDir), KeyFileError);
  t.equal(await readFile(join(dataDir, 'master-key'), 'utf8'), 'c2hvcnQ=\n');
  await writeFile(join(dataDir, 'master-key'), '');
  await t.rejects(readOrCreateMasterKey(dataDir), KeyFileError);
});

test('processes creating the key concurrently all get the same one', async (t) => {
  const dataDir = t.testdir();
  const script = `
    import { readOrCreateMasterKey } from ${JSON.stringify(modulePath)};
    const keys = await Promise.all([1, 2, 3, 4].map(() => readOrCreateMasterKey(${JSON.stringify(dataDir)})));
    console.log(keys.map((key) => key.toString('base64')).join('\\n'));`;
  const outputs = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
      const [code] = await once(child, 'close');
      t.equal(code, 0);
      return output.trim().split('\n');
    }),
  );
  const keys = outputs.flat();
  t.equal(keys.length, 12);
  t.equal(new Set(keys).size, 1);
});

test('refuses to replace a missing key that has encrypted data', async (t) => {
  const dataDir = t.testdir();
  await t.rejects(readOrCreateMasterKey(dataDir, { mayCreate: false }), /restore your copy/);
  t.strictSame(await readdir(dataDir), []);
});

test('the log key is separate, and is not replaced once it has signed checkpoints', async (t) => {
  const dataDir = t.testdir();
  const key = await readOrCreateLogKey(dataDir);
  t.notSame(await readOrCreateMasterKey(dataDir), key);
  t.same(await readOrCreateLogKey(dataDir, { mayCreate: false }), key);
  t.strictSame((await readdir(dataDir)).sort(), ['log-key', 'master-key']);
  await t.rejects(
    readOrCreateLogKey(t.testdir(), { mayCreate: false }),
    /set LOG_KEY to a new one/,
  );
});
