import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'tap';
import { projections } from '../../projections/registry.ts';
import {
  type Caller,
  dataOf,
  hashOf,
  postProof,
  queueProof,
  verify,
} from '../support/api-client.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { newDataDir, startProgram, stop } from '../support/program.ts';

/** Between the calls of one caller: a program without a moment of rest tests nothing more. */
const pauseMs = 20;

type Listed = { readonly data: readonly unknown[]; readonly meta?: { readonly total: number } };

async function count({ address, key }: Caller, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${address}/api/v1${path}`, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${text}`);
  const { data, meta } = JSON.parse(text) as Listed;
  return meta?.total ?? data.length;
}

async function reportRun({ address, key }: Caller, runId: string): Promise<void> {
  const decisions = [
    { subject: 'a', action: 'skip' },
    { subject: 'b', action: 'protect' },
  ];
  const answer = await fetch(`${address}/api/v1/agent/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ runId, decisions }),
  });
  if (answer.status !== 201) throw new Error(`POST: ${answer.status} ${await answer.text()}`);
}

test('every projection can be rebuilt while the program answers reads and writes', async (t) => {
  const env = { DATA_DIR: await newDataDir(t) };
  const program = await startProgram(t, env);
  const caller = { address: program.address, ...(await openOrganisation(env)) };
  const { txHash } = dataOf(await postProof(caller, hashOf('first')));

  let isOver = false;
  const acknowledged = { proofs: 1, runs: 0 };
  const reads = { count: 0 };
  const seen = new Map<string, number>();
  /** Checks that all acknowledged rows are there, and that no row seen before is gone. */
  const look = async (path: string, atLeast: number) => {
    const before = Math.max(atLeast, seen.get(path) ?? 0);
    const found = await count(caller, path);
    if (found < before) throw new Error(`${path}: ${found} after ${before}`);
    seen.set(path, Math.max(found, seen.get(path) ?? 0));
    reads.count += 1;
  };
  const writeProofs = async () => {
    while (!isOver) {
      const answer = await queueProof(caller, hashOf(`proof ${acknowledged.proofs}`));
      if (answer.status !== 202) throw new Error(JSON.stringify(answer));
      acknowledged.proofs += 1;
      await delay(pauseMs);
    }
  };
  const writeRuns = async () => {
    while (!isOver) {
      await reportRun(caller, `run ${acknowledged.runs}`);
      acknowledged.runs += 1;
      await delay(pauseMs);
    }
  };
  const read = async () => {
    while (!isOver) {
      await look('/documents?limit=1', acknowledged.proofs);
      await look('/agent/runs?limit=1', acknowledged.runs);
      await look('/agent/decisions?limit=1', 2 * acknowledged.runs);
      await look('/workspaces', 1);
      const { status } = await verify(caller.address, txHash);
      if (status !== 200) throw new Error(`verify: ${status}`);
      await delay(pauseMs);
    }
  };
  const calling = Promise.all([writeProofs(), writeRuns(), read(), read()]);
  calling.catch(() => {});

  const names = projections.map(({ name }) => name);
  for (const build of [2, 3]) {
    const { code, stdout, stderr } = await ops(t, env, 'projection', 'rebuild', '--all', '--json');
    t.equal(code, 0, stderr);
    t.match(
      stderr,
      /^\d+ projections \d+ %, [\d,]+ of [\d,]+ events/m,
      'progress is printed in plain lines',
    );
    const { rebuilt } = JSON.parse(stdout) as { rebuilt: { name: string }[] };
    t.match(
      rebuilt,
      names.map((name) => ({ name, outcome: 'swapped', build })),
    );
  }
  t.match(await opsJson(t, env, 'projection', 'rollback', 'documents'), { build: 2 });
  isOver = true;
  await calling;
  t.comment(`${JSON.stringify(acknowledged)} written, ${reads.count} reads`);
  await look('/documents?limit=1', acknowledged.proofs);
  const { projections: listed } = await opsJson(t, env, 'projection', 'list');
  t.match(listed, [
    ...names.flatMap((name) => {
      const kept = { name, build: 2, state: name === 'documents' ? 'live' : 'kept' };
      return [kept, { name, build: 3, state: name === 'documents' ? 'kept' : 'live' }];
    }),
  ]);
  t.match(await stop(program), { code: 0, stderr: '' });
});
