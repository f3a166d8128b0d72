import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { installClient } from '../../support/packed-client.ts';
import { firstKey, newDataDir, type Program, startProgram, stop } from '../../support/program.ts';
import { type Outcome, type Run, run } from '../../support/run.ts';
import { until } from '../../support/until.ts';

interface Site {
  readonly service: Program;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a shell script in the folder of the files. */
  shell(script: string, more?: Readonly<Record<string, string>>): Run;
}

let opened: Promise<Site> | null = null;

/** The service, and the packed command line in a folder of its own; shared by the tests of this file. */
function openSite(t: Test): Promise<Site> {
  const whole = t.context.whole as Test;
  opened ??= openAnew(whole);
  return opened;
}

async function openAnew(t: Test): Promise<Site> {
  const service = await startProgram(t, { DATA_DIR: await newDataDir(t) });
  const { key } = await firstKey(service);
  const project = await installClient(t);
  const cwd = join(project, 'files');
  await mkdir(cwd);
  const PATH = `${join(project, 'node_modules/.bin')}:${process.env.PATH}`;
  const env = { PATH, PROOFMARK_SERVER: service.address, PROOFMARK_API_KEY: key };
  return {
    ...{ service, cwd, env },
    shell: (script, more = {}) =>
      run(t, ['bash', '-c', script], { cwd, env: { ...env, ...more }, takesInput: false }),
  };
}

const linesOf = ({ stdout }: Outcome) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('the command line', async (whole) => {
  whole.context.whole = whole;

  await whole.test('proves, verifies and shows files in a pipe', async (t) => {
    const { cwd, shell } = await openSite(t);
    await mkdir(join(cwd, 'scans/2026'), { recursive: true });
    for (const name of ['a.txt', 'b.txt', '2026/c.txt']) {
      await writeFile(join(cwd, 'scans', name), `scan ${name}`);
    }
    const proven = await shell(`proofmark prove --json 'scans/**/*.txt'`).ended;
    t.match(proven, { code: 0, stderr: '' });
    const results = linesOf(proven);
    t.strictSame(
      results.map(({ name, hash, status }) => [name, hash, status]),
      ['2026/c.txt', 'a.txt', 'b.txt'].map((name) => [
        `scans/${name}`,
        hashOf(`scan ${name}`),
        'proven',
      ]),
    );
    t.notMatch(proven.stdout, /nonce/i);
    const { proofId } = results[1];

    const again = await shell('proofmark prove -r scans --json').ended;
    t.equal(again.code, 0, again.stderr);
    t.strictSame(
      new Set(linesOf(again).map((result) => result.proofId)),
      new Set(results.map((result) => result.proofId)),
      'nothing is proven twice',
    );

    const saved = await shell(`proofmark certificate ${proofId}`).ended;
    t.match(saved, { code: 0, stdout: `${proofId}.pdf\n`, stderr: '' });
    t.equal((await readFile(join(cwd, `${proofId}.pdf`))).subarray(0, 5).toString(), '%PDF-');
    t.match(await shell(`proofmark certificate ${proofId}`).ended, { code: 2, stderr: /exists/ });
    // Long enough that the temporary file beside it has a name that no file may have.
    const unwritable = `${'x'.repeat(245)}.pdf`;
    const failed = await shell(`proofmark certificate --out ${unwritable} ${proofId}`).ended;
    t.match(failed, { code: 2, stderr: /cannot be written \(ENAMETOOLONG\)/ });
    t.notOk(existsSync(join(cwd, unwritable)), 'what failed leaves no empty file');

    const verified = await shell(`proofmark verify scans/a.txt ${proofId}.pdf --json`).ended;
    // Nobody lists the validators of a development ledger.
    t.equal(verified.code, 4, verified.stderr);
    t.match(JSON.parse(verified.stdout), { result: 'notProvenYet' });
    const other = await shell(`proofmark verify scans/b.txt ${proofId}.pdf`).ended;
    t.match(other, { code: 1, stdout: /^FAILED {7}file hash {2}.*\n(?:.*\n)*NOT PROVEN/m });
    const bundle = await shell(`proofmark certificate --bundle --out - ${proofId}`).ended;
    await writeFile(join(cwd, '{bundle}.json'), bundle.stdout);
    const piped = await shell(`cat scans/a.txt | proofmark verify - '{bundle}.json'`).ended;
    t.equal(piped.code, 4, piped.stderr);
    t.match(await shell('proofmark verify scans/a.txt scans/b.txt').ended, { code: 2 });

    const status = await shell(`proofmark status --json ${proofId} scans/b.txt`).ended;
    t.equal(status.code, 0, status.stderr);
    t.match(linesOf(status), [{ status: 'completed' }, { status: 'completed' }]);
    const unknown = await shell('echo nothing | proofmark status -').ended;
    t.match(unknown, { code: 1, stdout: /^unknown {2}-\n$/ });
  });

  await whole.test('proves standard input and lists of sha256sum', async (t) => {
    const { cwd, shell } = await openSite(t);
    const piped = await shell('echo hello | proofmark prove - --name hello.txt --json').ended;
    t.equal(piped.code, 0, piped.stderr);
    t.match(linesOf(piped), [{ name: '-', hash: hashOf('hello\n'), status: 'proven' }]);
    await writeFile(join(cwd, 'line\nbreak.txt'), 'a name with a line break');
    const listed = await shell('sha256sum line*break.txt | proofmark prove --manifest - --json')
      .ended;
    t.equal(listed.code, 0, listed.stderr);
    const [{ name, hash }] = linesOf(listed);
    t.strictSame([name, hash], ['line\nbreak.txt', hashOf('a name with a line break')]);
    const named = await shell('proofmark prove line*break.txt').ended;
    t.match(named, { code: 0, stdout: /^proven {2}\S+ {2}\S+ {2}line\\u\{a\}break.txt\n$/ });
    const broken = await shell('echo no hash | proofmark prove --manifest -').ended;
    t.match(broken, { code: 2, stderr: /line 1 is not/ });
  });

  await whole.test('lets a file that cannot be proven stop no other', async (t) => {
    const { cwd, shell } = await openSite(t);
    await mkdir(join(cwd, 'mixed/folder'), { recursive: true });
    await writeFile(join(cwd, 'mixed/good.txt'), 'good');
    const files = `mixed/good.txt mixed/missing.txt mixed/folder 'mixed/*.none' -`;
    const found = await shell(`proofmark prove ${files} < /dev/null`).ended;
    t.equal(found.code, 1);
    t.match(found.stdout, /^proven .*mixed\/good.txt\n$/);
    t.match(found.stderr, /missing.txt cannot be read/);
    t.match(found.stderr, /mixed\/folder is a folder: add --recursive/);
    t.match(found.stderr, /\*.none matches no file/);
    t.match(found.stderr, /standard input is empty/);
    t.match(found.stderr, /1 of 5 files proven/);
    // Its size is zero, and reading it fails. A file without permission is readable for root.
    const device = await shell('proofmark prove mixed/good.txt /proc/self/mem').ended;
    t.match(device, { code: 1, stderr: /\/proc\/self\/mem cannot be read/ });
  });

  await whole.test('refuses a file that is altered while it is hashed', async (t) => {
    const { cwd, shell } = await openSite(t);
    const path = join(cwd, 'growing.bin');
    await writeFile(path, '');
    await truncate(path, 192_000_000);
    // A process of its own: this one may stand still for as long as hashing takes.
    const growing = spawn('sh', ['-c', 'while :; do printf more >> "$0"; done', path]);
    t.teardown(() => growing.kill('SIGKILL'));
    const found = await shell('proofmark prove growing.bin').ended;
    growing.kill('SIGKILL');
    t.match(found, { code: 1, stdout: '', stderr: /altered while it was read.*no program writes/ });
  });

  await whole.test('ends when its reader does, and when it is interrupted', async (t) => {
    const { cwd, env, shell } = await openSite(t);
    await mkdir(join(cwd, 'many'));
    for (let at = 0; at < 300; at += 1) await writeFile(join(cwd, `many/${at}`), `many ${at}`);
    const script = 'proofmark prove -r many | head -1; echo "codes $' + '{PIPESTATUS[*]}"';
    const head = await shell(script).ended;
    t.match(head.stdout, /^proven .*\ncodes (?:0|141) 0\n$/);
    t.equal(head.stderr, '');

    const command = ['proofmark', 'prove', 'many/1', '-', '--journal', 'journal'];
    const reading = run(t, command, { cwd, env, takesInput: true });
    await until('the journal is begun', async () => {
      return (await readFile(join(cwd, 'journal'), 'utf8').catch(() => '')).endsWith('\n');
    });
    reading.interrupt();
    t.match(await reading.ended, { code: 130, stdout: '', stderr: /^Interrupted\. / });
  });

  await whole.test('shows progress to people only', async (t) => {
    const { cwd, shell } = await openSite(t);
    await writeFile(join(cwd, 'large.bin'), Buffer.alloc(300_000_000, 1));
    const terminal = await shell(`script -qec 'stty cols 100; proofmark prove large.bin' /dev/null`)
      .ended;
    t.match(terminal.stdout, /Hashing \[#+\.*\] \d+ %, [\d.]+ of 300 MB, [\d,]+\/s/);
    t.match(terminal.stdout, /Waiting for the ledger/);
    t.match(terminal.stdout, /1 of 1 file proven/);
    t.equal((await shell('proofmark prove large.bin').ended).stderr, '');
  });

  await whole.test('says what to do about settings, and never prints the key', async (t) => {
    const { cwd, env, shell } = await openSite(t);
    const key = env.PROOFMARK_API_KEY ?? '';
    await writeFile(join(cwd, 'one.txt'), 'one');
    await writeFile(join(cwd, 'key'), `${key}\n`);
    const none = { PROOFMARK_API_KEY: '' };
    const byFile = await shell('proofmark prove one.txt --key-file key', none).ended;
    t.equal(byFile.code, 0, byFile.stderr);
    const cases: [string, Readonly<Record<string, string>>, number, RegExp][] = [
      ['prove one.txt', none, 2, /set PROOFMARK_API_KEY, or name a file with --key-file/],
      ['prove one.txt --key-file gone', none, 2, /gone cannot be read \(ENOENT\)/],
      ['prove one.txt --key-file one.txt', none, 3, /check the key in PROOFMARK_API_KEY/],
      ['prove one.txt', { PROOFMARK_API_KEY: `${key}\nmore` }, 2, /no API key on a single line/],
      ['prove one.txt', { PROOFMARK_SERVER: '' }, 2, /set PROOFMARK_SERVER, or use --server/],
      ['prove one.txt', { PROOFMARK_SERVER: 'x' }, 2, /must be an http or https URL/],
      ['prove', {}, 2, /name files, or --manifest FILE/],
      [`prove one.txt --key ${key}x`, {}, 2, /unknown option '--key'/],
    ];
    for (const [args, more, code, message] of cases) {
      const found = await shell(`proofmark ${args}`, more).ended;
      t.match(found, { code, stderr: message }, args);
      t.notOk((found.stdout + found.stderr).includes(key), 'the key is not printed');
    }
    t.match(await shell('proofmark --version').ended, { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ });
    t.match(await shell('proofmark --help').ended, { code: 0, stdout: /Exit codes: 0 done/ });
  });

  await whole.test('lists runs of agents', async (t) => {
    const { env, shell } = await openSite(t);
    for (const runId of ['night 1', 'night 2']) {
      const response = await fetch(`${env.PROOFMARK_SERVER}/api/v1/agent/runs`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${env.PROOFMARK_API_KEY}`,
        },
        body: JSON.stringify({ runId, mode: 'unattended', decisions: [{ action: 'skip' }] }),
      });
      t.ok(response.ok, String(response.status));
    }
    const listed = await shell('proofmark runs --limit 1').ended;
    t.match(listed, { code: 0, stdout: /unattended {2}1 decisions {2}night 2\n$/ });
    t.equal(linesOf(await shell('proofmark runs --json').ended).length, 2);
    const shown = await shell(`proofmark runs 'night 1' --json`).ended;
    t.match(JSON.parse(shown.stdout), { runId: 'night 1', decisions: [{ action: 'skip' }] });
    t.match(await shell('proofmark runs nothing').ended, { code: 3, stderr: /RUN_NOT_FOUND/ });
  });

  const { service } = await openSite({ context: { whole } } as unknown as Test);
  whole.match(await stop(service), { code: 0 });
});
