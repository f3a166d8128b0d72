import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { test } from 'tap';
import { parse } from 'yaml';
import { commandLine } from '../../clients/typescript/cli/command-line.ts';
import { operatorProgram } from '../../ops/operator-program.ts';
import { checkOpsCommand } from '../support/check-ops-command.ts';
import { readGuides } from '../support/documents.ts';
import { projectRoot, run } from '../support/run.ts';
import { commandsIn, wordsOf } from '../support/shell-commands.ts';

const guides = readGuides();
const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

/** Commands of shell blocks, and code spans that may be commands, with their places. */
const commands = guides.flatMap(({ path, blocks, code }) => [
  ...blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ place, text }) => commandsIn(text).map((command) => ({ place, command }))),
  ...code.map((command) => ({ place: path, command })),
]);

/** Words after `ops`, however the command is written. */
const callsOfOps =
  /(?:npm run --silent ops --|node ops\/cli\.ts|(?:^|; |\bproofmark-)ops)\s+(\S.*)/s;

test('the operator’s program accepts every documented operator command', async (t) => {
  const checked = new Set<string>();
  for (const { place, command } of commands) {
    const [, rest] = callsOfOps.exec(command) ?? [];
    if (rest === undefined || (/^\W/.test(rest) && !rest.startsWith('--'))) continue;
    const words = wordsOf(rest).filter((word) => word !== '…');
    if (checked.has(words.join(' '))) continue;
    checked.add(words.join(' '));
    t.equal(await checkOpsCommand(words), null, `${place}: ops ${words.join(' ')}`);
  }
  t.ok(checked.size > 40);
});

test('every npm script named in a document exists', async (t) => {
  let count = 0;
  for (const { place, command } of commands) {
    for (const [, name = ''] of command.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)) {
      count += 1;
      t.ok(name in scripts, `${place}: npm run ${name}`);
    }
  }
  t.ok(count > 20);
});

test('every benchmark, and every option of benchmarks and crash harness, exists', async (t) => {
  const helpOf = async (...args: readonly string[]) =>
    (await run(t, [process.execPath, ...args, '--help']).ended).stdout;
  const [bench, crash] = await Promise.all([
    helpOf('ops/bench/run.ts'),
    helpOf('ops/crash/run.ts'),
  ]);
  let count = 0;
  for (const { place, command } of commands) {
    const [, name] = /\bnpm run (?:--silent )?bench -- ([a-z]+)/.exec(command) ?? [];
    if (name !== undefined) t.match(bench, new RegExp(`^ {2}${name} `, 'm'), `${place}: ${name}`);
    const [, options] = /\bnpm run (?:--silent )?crash -- (.+)/.exec(command) ?? [];
    for (const [option] of options?.matchAll(/--[a-z]+/g) ?? []) {
      t.ok(crash.includes(option), `${place}: ${option}`);
    }
    if (name !== undefined || options !== undefined) count += 1;
  }
  t.ok(count > 2);
});

const composeCall = /docker compose \S+ (?:exec|run|up|cp) ([\w-]+)/;
const withoutOptions = (command: string) =>
  command.replaceAll(/\\\n\s*/g, '').replaceAll(/ -\S+/g, '');

test('every option in a code span belongs to ops or proofmark', async (t) => {
  const proofmark = allOptions(commandLine('0', new AbortController().signal));
  const options = new Set([...allOptions(await operatorProgram()), ...proofmark]);
  let count = 0;
  for (const { path, code } of guides.filter(({ path }) => !path.startsWith('ops/'))) {
    if (path.startsWith('docs/decisions/')) continue;
    for (const option of code.flatMap((span) => /^--[a-z][a-z-]*/.exec(span) ?? [])) {
      count += 1;
      t.ok(options.has(option), `${path}: ${option}`);
    }
  }
  t.ok(count > 15);
});

test('every call of proofmark in a document names commands and options that exist', async (t) => {
  const program = commandLine('0', new AbortController().signal);
  let count = 0;
  for (const { path, blocks, code } of guides) {
    const shell = blocks.filter(({ language }) => language === 'bash').map(({ text }) => text);
    for (const call of [...shell.flatMap(commandsIn), ...code]) {
      const [, name = '', rest = ''] = /^proofmark ([a-z]+)(.*)/.exec(call) ?? [];
      if (name === '') continue;
      count += 1;
      const command = program.commands.find((each) => each.name() === name);
      if (command === undefined) t.fail(`${path}: ${call}`);
      else {
        for (const [, option = ''] of rest.matchAll(/ (--[a-z][a-z-]*)/g)) {
          t.ok(allOptions(command).has(option) || option === '--help', `${path}: ${call}`);
        }
      }
    }
  }
  t.ok(count > 10);
});

function allOptions(command: Command): ReadonlySet<string> {
  const own = command.options.map(({ long }) => long ?? '');
  return new Set([...own, ...command.commands.flatMap((each) => [...allOptions(each)])]);
}

test('every file and service named in a command exists', async (t) => {
  const compose = parse(readFileSync(join(projectRoot, 'ops/deploy/compose.yaml'), 'utf8'));
  const paths = /(?<![\w/.:-])(?:src|ops|test|docs|projections|migrations)\/[\w./*-]*/g;
  for (const { place, command } of commands) {
    for (const [path] of command.matchAll(paths)) {
      const there = globSync(path.replace(/[.]$/, ''), { cwd: projectRoot }).length > 0;
      t.ok(there || path.startsWith('ops/deploy/secrets/'), `${place}: ${path}`);
    }
    const [, service] = composeCall.exec(withoutOptions(command)) ?? [];
    if (service !== undefined) t.ok(service in compose.services, `${place}: ${service}`);
    const [, unit] = /systemctl (?:restart|status|stop|start) (\S+)/.exec(command) ?? [];
    if (unit !== undefined)
      t.ok(existsSync(join(projectRoot, `ops/deploy/${unit}.service`)), place);
  }
});
