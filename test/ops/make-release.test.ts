import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Test, test } from 'tap';
import { newFolder } from '../support/blobs.ts';
import { projectRoot } from '../support/run.ts';

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
const { version, dependencies } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
);

/** A repository with what a release is made from, and an npm that installs and checks nothing. */
async function repository(t: Test) {
  const folder = await newFolder(t);
  const git = (...words: string[]) =>
    execFileSync('git', [...identity, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  const files = ['package.json', 'package-lock.json', '.npmrc', '.gitignore'];
  const deploy = ['make-release', 'pin-images', 'Dockerfile', 'compose.yaml'];
  for (const path of [...files, ...deploy.map((name) => `ops/deploy/${name}`), 'CHANGELOG.md']) {
    execFileSync('mkdir', ['-p', join(folder, dirname(path))]);
    execFileSync('cp', ['-p', join(projectRoot, path), join(folder, path)]);
  }
  const bin = join(folder, 'release-bin');
  execFileSync('mkdir', [bin]);
  const npm = `#!/bin/sh
echo "npm $*" >>'${bin}/asked'
case "$1" in pkg | install | sbom) exec '${realNpm}' "$@" ;; esac
`;
  // A registry that has one index under every tag, and under the digest of its bytes.
  const index = join(bin, 'index');
  const docker = `#!/bin/sh
case "$2 $5" in
  version*) ;;
  imagetools*@*) echo "$5" | grep -qF "@sha256:$(sha256sum <'${index}' | cut -d ' ' -f 1)" ;;
  *) cat '${index}' ;;
esac
`;
  for (const [name, text] of Object.entries({ npm, docker })) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  const serve = (answer: string) => writeFileSync(index, answer);
  serve('{"schemaVersion":2,"manifests":[{}]}');
  writeFileSync(join(folder, '.git/info/exclude'), 'release-bin/\n');
  const change = (path: string, change: (text: string) => string) => {
    writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')));
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'change');
  };
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const make = () => call('make-release');
  const call = (script: string) => {
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
    };
    const { NODE_OPTIONS: _, ...clean } = env as Record<string, string>;
    const options = { cwd: folder, encoding: 'utf8', env: clean } as const;
    return spawnSync('bash', [`ops/deploy/${script}`], options);
  };
  const pin = () => call('pin-images');
  return {
    folder,
    git,
    change,
    make,
    serve,
    pin,
    asked: () => readFileSync(join(bin, 'asked'), 'utf8'),
  };
}

const realNpm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
const section = new RegExp(`^## \\[${version}\\] - .*$`, 'm');

test('a release has its source, a list of its packages, checksums and a tag', async (t) => {
  const { folder, git, change, make, pin, asked } = await repository(t);
  t.equal(pin().status, 0);
  change('CHANGELOG.md', (text) => text.replace(section, `## [${version}] - 2026-12-01`));
  const made = make();
  t.equal(made.status, 0, made.stderr);
  const order = asked().trim().split('\n');
  t.strictSame(order.slice(0, 3), ['npm ci', 'npm audit signatures', 'npm run check']);
  t.equal(git('rev-parse', `v${version}^{commit}`), git('rev-parse', 'HEAD'));
  t.match(git('cat-file', '-t', `v${version}`), 'tag');
  const read = (name: string) => readFileSync(join(folder, 'release', name));
  const sums = read('SHA256SUMS').toString().trim().split('\n');
  t.equal(sums.length, 2);
  for (const line of sums) {
    const [sum, name = ''] = line.split('  ');
    t.equal(createHash('sha256').update(read(name)).digest('hex'), sum, name);
  }
  const bom = JSON.parse(read(`proofmark-${version}.cdx.json`).toString());
  t.match(bom, { bomFormat: 'CycloneDX', metadata: { component: { version } } });
  type Component = { purl: string; hashes?: unknown[] };
  const hashes = new Map(bom.components.map((one: Component) => [one.purl, one.hashes]));
  for (const [name, wanted] of Object.entries(dependencies)) {
    t.match(
      hashes.get(`pkg:npm/${name.replace('@', '%40')}@${wanted}`),
      [{ alg: 'SHA-512' }],
      name,
    );
  }
  const again = make();
  t.equal(again.status, 1);
  t.match(again.stderr, `v${version} exists already`);
});

test('what is not ready is not released', async (t) => {
  const { folder, git, change, make } = await repository(t);
  change('CHANGELOG.md', (text) => text.replace(section, `## [${version}] - Unreleased`));
  t.match(make(), { status: 1, stderr: /CHANGELOG.md has no section .* write the date/ });
  change('CHANGELOG.md', (text) => text.replace(section, `## [${version}] - 2026-12-01`));
  writeFileSync(join(folder, 'left.txt'), 'left');
  t.match(make(), { status: 1, stderr: /changes that are not committed/ });
  execFileSync('rm', [join(folder, 'left.txt')]);
  git('checkout', '-q', '-b', 'other');
  t.match(make(), { status: 1, stderr: /releases are made from main/ });
  t.equal(git('tag'), '');
});

test('a release has the digests that the registry serves', async (t) => {
  const { folder, change, make, serve, pin } = await repository(t);
  const read = (name: string) => readFileSync(join(folder, 'ops/deploy', name), 'utf8');
  const tagged = read('Dockerfile');
  change('CHANGELOG.md', (text) => text.replace(section, `## [${version}] - 2026-12-01`));
  t.match(make(), { status: 1, stderr: /Dockerfile lacks a digest.*\n.*images by digest/ });
  for (const answer of ['', 'not found', '{"schemaVersion":2,"config":{}}']) {
    serve(answer);
    t.match(pin(), { status: 1, stderr: /no index of platforms/ }, answer);
    t.equal(read('Dockerfile'), tagged, 'nothing is written');
  }
  for (const name of ['first', 'second']) {
    const index = `{"schemaVersion":2,"manifests":[{"name":"${name}"}]}`;
    serve(index);
    t.equal(make().status, 1, 'the tag has another digest');
    t.equal(pin().status, 0);
    const digest = createHash('sha256').update(index).digest('hex');
    const texts = `${read('Dockerfile')}${read('compose.yaml')}`;
    const named = texts.match(/^(FROM | +image: )(?!proofmark$).*$/gm) ?? [];
    t.equal(named.length, 3);
    for (const line of named) t.match(line, new RegExp(`:[^@]+@sha256:${digest}( AS \\w+)?$`));
    change('CHANGELOG.md', (text) => text);
  }
});
