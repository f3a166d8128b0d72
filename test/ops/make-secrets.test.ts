import { spawnSync } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { newFolder } from '../support/blobs.ts';
import { projectRoot } from '../support/run.ts';

const isRoot = process.getuid?.() === 0;
const skip = isRoot ? false : 'only root can become another user';

/** The user of the containers, as in USER of the Dockerfile. */
const container = { uid: 1000, gid: 1000 };
const nobody = { uid: 65534, gid: 65534 };

test('the folder is 0700 and every secret 0600 with any umask', async (t) => {
  for (const umask of ['0000', '0777']) {
    const { run, modes } = await copyScript(t);
    const { status, stderr } = run({ umask, owner: ownUser });
    t.equal(status, 0, stderr);
    const { folder, files } = await modes();
    t.equal(folder, 0o700);
    t.ok(Object.keys(files).length >= 7);
    t.same(new Set(Object.values(files)), new Set([0o600]), umask);
  }
});

test('an existing folder and its files get strict modes and keep their contents', async (t) => {
  const { folder, run, modes } = await copyScript(t);
  await mkdir(folder);
  await writeFile(join(folder, 'master_key'), 'an old key');
  await writeFile(join(folder, 'of-mine'), 'an own file');
  await chmod(folder, 0o711);
  for (const name of ['master_key', 'of-mine']) await chmod(join(folder, name), 0o644);
  t.equal(run({ owner: ownUser }).status, 0);
  const first = await modes();
  t.equal(first.folder, 0o700);
  t.same(new Set(Object.values(first.files)), new Set([0o600]));
  t.equal(await readFile(join(folder, 'master_key'), 'utf8'), 'an old key');
  const password = await readFile(join(folder, 'postgres_password'), 'utf8');
  t.match(await readFile(join(folder, 'database_url'), 'utf8'), `:${password}@`);
  t.equal(run({ owner: ownUser }).status, 0, 'a second run succeeds');
  t.equal(await readFile(join(folder, 'postgres_password'), 'utf8'), password);
});

test('files never have wider modes, even while they are written', async (t) => {
  const { place, run } = await copyScript(t);
  // The script calls openssl for each secret, so this stub lists the files written so far.
  const bin = join(place, 'bin');
  const seen = join(place, 'seen');
  const look = `#!/bin/sh\nls -ldn secrets secrets/* secrets/.[!.]* 2>&- >>'${seen}'\n`;
  await mkdir(bin);
  await writeFile(join(bin, 'openssl'), `${look}echo a secret\n`, { mode: 0o755 });
  const path = `${bin}:${process.env.PATH}`;
  t.equal(run({ umask: '0000', owner: ownUser, path }).status, 0);
  const lines = (await readFile(seen, 'utf8')).trimEnd().split('\n');
  t.ok(lines.length > 4);
  for (const line of lines) t.match(line, /^(drwx|-rw-)------/);
});

test('without openssl nothing is written, and a failing openssl leaves no empty secret', async (t) => {
  const { place, folder, run } = await copyScript(t);
  const bin = join(place, 'bin');
  await mkdir(bin);
  for (const tool of ['bash', 'dirname', 'uname', 'id', 'mkdir', 'chmod', 'find', 'cat', 'mv']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' });
    await symlink(stdout.trim(), join(bin, tool));
  }
  const missing = run({ owner: ownUser, path: bin });
  t.equal(missing.status, 1);
  t.match(missing.stderr, /^openssl, .* install the package openssl .* Nothing was changed/);
  await t.rejects(stat(folder), { code: 'ENOENT' }, 'nothing was written');
  await writeFile(join(bin, 'openssl'), '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  t.equal(run({ owner: ownUser, path: bin }).status, 7);
  t.strictSame(await readdir(folder), []);
});

test('an empty key file is refused by name, and nothing is written', async (t) => {
  const { folder, run } = await copyScript(t);
  await mkdir(folder);
  await writeFile(join(folder, 'master_key'), '');
  const { status, stderr } = run({ owner: ownUser });
  t.equal(status, 1);
  t.match(stderr, /secrets\/master_key is empty: restore it from your copy/);
  t.strictSame(await readdir(folder), ['master_key']);
});

test('another user cannot list the folder or read a secret', { skip }, async (t) => {
  const { folder, run, modes } = await copyScript(t);
  const { status, stderr } = run({ umask: '0000' });
  t.equal(status, 0, stderr);
  const { files } = await modes();
  const asNobody = (...command: string[]) => runAs(nobody, command);
  t.not(asNobody('ls', folder).status, 0, 'the folder cannot be listed');
  for (const name of Object.keys(files)) {
    const { status: read, stdout } = asNobody('cat', join(folder, name));
    t.not(read, 0, name);
    t.equal(stdout, '');
  }
  // A file mounted without its folder must not be readable either.
  await chmod(folder, 0o755);
  for (const name of Object.keys(files)) {
    t.not(asNobody('cat', join(folder, name)).status, 0, `${name} without its folder`);
  }
});

test("the containers' user can read every secret", { skip }, async (t) => {
  const { folder, run, modes } = await copyScript(t);
  t.equal(run({}).status, 0);
  for (const name of Object.keys((await modes()).files)) {
    const { status, stdout } = runAs(container, ['cat', join(folder, name)]);
    t.equal(status, 0, name);
    t.equal(stdout, await readFile(join(folder, name), 'utf8'));
  }
  const { uid, gid } = await stat(folder);
  t.same({ uid, gid }, container);
  t.equal(run({ owner: '1234:1234' }).status, 0);
  t.match(await stat(join(folder, 'log_key')), { uid: 1234, gid: 1234 }, 'owner of mapped users');
});

test("the containers' user needs no root, any other user is refused without it", {
  skip,
}, async (t) => {
  const own = await copyScript(t, container);
  t.equal(own.run({ as: container }).status, 0);
  t.equal((await own.modes()).folder, 0o700);
  const foreign = await copyScript(t, nobody);
  const { status, stderr } = foreign.run({ as: nobody });
  t.equal(status, 1);
  t.match(stderr, /user 1000 .* must own .* run sudo ops\/deploy\/make-secrets/);
  await t.rejects(stat(foreign.folder), { code: 'ENOENT' }, 'nothing was written');
});

const ownUser = `${process.getuid?.()}:${process.getgid?.()}`;

interface User {
  readonly uid: number;
  readonly gid: number;
}

interface Options {
  readonly umask?: string;
  readonly owner?: string;
  readonly path?: string;
  readonly as?: User;
}

/** A copy of the script in its own folder, below which it writes. */
async function copyScript(t: Pick<Test, 'teardown'>, user?: User) {
  const place = await newFolder(t);
  await chmod(place, 0o755);
  if (user) spawnSync('chown', [`${user.uid}:${user.gid}`, place]);
  const script = join(place, 'make-secrets');
  await copyFile(join(projectRoot, 'ops/deploy/make-secrets'), script);
  await chmod(script, 0o755);
  const folder = join(place, 'secrets');
  return {
    place,
    folder,
    run({ umask = '0022', owner, path, as }: Options) {
      const env = [
        ...(owner === undefined ? [] : [`SECRETS_OWNER=${owner}`]),
        ...(path === undefined ? [] : [`PATH=${path}`]),
      ];
      const command = ['env', ...env, 'bash', '-c', `umask ${umask}; exec "$0"`, script];
      return as === undefined ? run(command) : runAs(as, command);
    },
    async modes() {
      const names = await readdir(folder);
      const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o7777;
      const files = await Promise.all(names.map(async (name) => [name, await modeOf(name)]));
      return {
        folder: (await stat(folder)).mode & 0o7777,
        files: Object.fromEntries(files) as Record<string, number>,
      };
    },
  };
}

function run(command: readonly string[], user?: User) {
  const [file = '', ...args] = command;
  return spawnSync(file, args, { encoding: 'utf8', cwd: '/', ...user });
}

function runAs(user: User, command: readonly string[]) {
  return run(command, user);
}
