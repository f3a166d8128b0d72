import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { projectRoot, run } from './run.ts';

const filesOf = (patterns: readonly string[]) => globSync(patterns, { cwd: projectRoot });

const testFiles = (groups: readonly string[]) =>
  filesOf(['test/**/*.test.ts'])
    .filter((file) => !groups.includes(file))
    .sort();

test('every test file runs once, alone or in one group', async (t) => {
  const groups = filesOf(['test/groups/*.test.ts']);
  const members = groups.flatMap((group) => {
    const source = readFileSync(join(projectRoot, group), 'utf8');
    const patterns = Array.from(source.matchAll(/'(test\/[^']+)'/g), ([, pattern]) => `${pattern}`);
    t.not(patterns.length, 0, group);
    for (const pattern of patterns) t.not(filesOf([pattern]).length, 0, pattern);
    return filesOf(patterns);
  });
  t.equal(new Set(members).size, members.length, 'no file is in two groups');
  const { include }: { readonly include: readonly string[] } = parse(
    readFileSync(join(projectRoot, '.taprc'), 'utf8'),
  );
  const started = include.flatMap((pattern) => {
    const found = filesOf([pattern]);
    t.not(found.length, 0, pattern);
    return found;
  });
  const alone = started.filter((file) => !groups.includes(file));
  t.equal(started.length, groups.length + alone.length, 'all groups run');
  t.strictSame([...alone, ...members].sort(), testFiles(groups), 'alone or in a group');
});

test('a file that fails fails its group by name, and the next one runs after its teardown', async (t) => {
  const script = `import { runTogether } from './test/support/run-together.ts';
    await runTogether('test/groups/fixture/*.ts');`;
  const { code, stdout } = await run(t, [process.execPath, '--input-type=module', '-e', script], {
    cwd: projectRoot,
  }).ended;
  t.equal(code, 1);
  const [failed, teardown, passed] = [
    stdout.indexOf('not ok 1 - test/groups/fixture/failing.ts'),
    stdout.indexOf('# teardown of the failing file'),
    stdout.indexOf('ok 2 - test/groups/fixture/following.ts'),
  ];
  t.ok(0 < failed, stdout);
  t.ok(0 < teardown && teardown < passed, stdout);
  t.match(stdout, /not ok 1 - fails/);
  t.match(stdout, /not ok 2 - throws/);
  t.match(stdout, /# \{ total: \d+, pass: 1, fail: \d+ \}/);
});
