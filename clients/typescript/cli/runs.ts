import type { Command } from 'commander';
import { printableJson } from '../../../ops/terminal/printable.ts';
import { wrongUse } from './ending.ts';
import { writeOut, writeResult } from './output.ts';
import { openClient, type ServiceOptions, withService, workspaceOf } from './settings.ts';

interface Options extends ServiceOptions {
  readonly objective?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

export function addRuns(program: Command, signal: AbortSignal): void {
  withService(program.command('runs'))
    .description('list the runs of agents, newest first, or show one')
    .argument('[run]', 'id of a run: show it with its decisions, as JSON')
    .option('--objective <text>', 'only runs with this objective')
    .option('--from <time>', 'only runs since this time (ISO 8601)')
    .option('--to <time>', 'only runs until this time (ISO 8601)')
    .option('--limit <number>', 'most runs to list')
    .option('--json', 'print one JSON object for each run')
    .action(async (run: string | undefined, options: Options) => {
      if (run !== undefined) return show(run, options, signal);
      await list(options, signal);
    });
}

async function show(id: string, options: Options, signal: AbortSignal): Promise<void> {
  const client = await openClient(options);
  const params = { path: { id } };
  const { body } = await client.api.GET('/agent/runs/{id}', { params, signal });
  if (options.json) return writeResult(true, body.data, '');
  await writeOut(`${printableJson(body.data, 2)}\n`);
}

async function list(options: Options, signal: AbortSignal): Promise<void> {
  const { objective, from, to, limit, json } = options;
  const workspace = workspaceOf(options);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit)) {
    throw wrongUse('--limit: must be a whole number of at least 1');
  }
  let left = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  const client = await openClient(options);
  const query = {
    ...(workspace && { workspace }),
    ...(objective && { objective }),
    ...(from && { from }),
    ...(to && { to }),
  };
  for await (const run of client.list('/agent/runs', { params: { query }, signal })) {
    const { runId, startedAt, mode, decisionsReported } = run;
    const facts = [startedAt ?? 'no start', mode ?? 'no mode', `${decisionsReported} decisions`];
    await writeResult(json, run, [...facts, runId].join('  '));
    left -= 1;
    if (left === 0) return;
  }
}
