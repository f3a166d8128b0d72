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
  for (const path of [...files, 'ops/deploy/make-release', 'CHANGELOG.md']) {
    execFileSync('mkdir', ['-p', join(folder, dirname(path))]);
    execFileSync('cp', ['-p', join(projectRoot, path), join(folder, path)]);
  }
  const bin = join(folder, 'release-bin');
  execFileSync('mkdir', [bin]);
  const npm = `#!/bin/sh
echo "npm $*" >>'${bin}/asked'
case "$1" in pkg | install | sbom) exec '${realNpm}' "$@" ;; esac
`;
  writeFileSync(join(bin, 'npm'), npm);
  chmodSync(join(bin, 'npm'), 0o755);
  writeFileSync(join(folder, '.git/info/exclude'), 'release-bin/\n');
  const change = (path: string, change: (text: string) => string) => {
    writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')));
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'change');
  };
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const make = () => {
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
    };
    const { NODE_OPTIONS: _, ...clean } = env as Record<string, string>;
    const options = { cwd: folder, encoding: 'utf8', env: clean } as const;
    return spawnSync('bash', ['ops/deploy/make-release'], options);
  };
  return { folder, git, change, make, asked: () => readFileSync(join(bin, 'asked'), 'utf8') };
}

const realNpm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
const section = new RegExp(`^## \\[${version}\\] - .*$`, 'm');

test('a release has its source, a list of its packages, checksums and a tag', async (t) => {
  const { folder, git, change, make, asked } = await repository(t);
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
