import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { test } from 'tap';
import { operatorProgram } from '../../ops/operator-program.ts';
import { statusOf } from '../../src/http/errors.ts';
import { projectRoot } from '../support/run.ts';

const ops = join(projectRoot, 'ops');
const runbook = readFileSync(join(ops, 'runbook.md'), 'utf8').replaceAll(/\n\s*/g, ' ');

test('every command in the runbook is one that there is, with the options that it has', async (t) => {
  const named = [...runbook.matchAll(/`ops ([a-z][^`]*)`/g)].map(([, line = '']) => line);
  t.ok(named.length > 10);
  for (const line of new Set(named)) {
    const words = line.split(' ');
    let command: Command | undefined = await operatorProgram();
    while (command && command.commands.length > 0) {
      const name = words.shift();
      command = command.commands.find((each) => each.name() === name);
    }
    t.ok(command, `ops ${line}`);
    for (const option of words.filter((word) => word.startsWith('--'))) {
      t.ok(
        command?.options.some(({ long }) => long === option),
        `ops ${line}: ${option}`,
      );
    }
  }
});

test('what the runbook leads to is there', async (t) => {
  for (const [, target = ''] of runbook.matchAll(/\]\(([^)]+)\)/g)) {
    if (target.startsWith('https:')) continue;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? 'runbook.md' : path;
    t.ok(globSync(file, { cwd: ops }).length > 0, target);
    if (anchor !== undefined) t.ok(anchorsOf(join(ops, file)).has(anchor), target);
  }
  for (const [file] of runbook.matchAll(/\btest\/[\w/-]+\.test\.ts/g)) {
    t.ok(globSync(file, { cwd: projectRoot }).length > 0, file);
  }
});

test('every variable and code that the runbook names is there', async (t) => {
  const config = readFileSync(join(projectRoot, 'src/config/variables.ts'), 'utf8');
  const ours = /`(DATABASE_URL|DATA_DIR|[A-Z]+(?:_[A-Z]+)+)[`=]/g;
  for (const [, name = ''] of runbook.matchAll(ours)) {
    const variable = name.replace(/_FILE$/, '');
    t.ok(name in statusOf || new RegExp(`^  ${variable}:`, 'm').test(config), name);
  }
});

/** As Markdown's viewers name the headings of a file. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}
