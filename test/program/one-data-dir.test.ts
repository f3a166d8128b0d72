import { test } from 'tap';
import {
  emptyDataDir,
  newDataDir,
  ready,
  runProgram,
  startProgram,
  stop,
} from '../support/program.ts';

test('a second start on a DATA_DIR in use ends with a message of one line', async (t) => {
  const dataDir = await newDataDir(t);
  const first = await startProgram(t, { DATA_DIR: dataDir });
  const second = await runProgram(t, { DATA_DIR: dataDir }).ended;
  t.match(second, { code: 1, signal: null, stdout: '' });
  const [line, ...rest] = second.stderr.split('\n');
  t.strictSame(rest, [''], 'one line');
  t.match(line, `DATA_DIR ${dataDir} is in use`);
  t.match(line, `pid ${first.pid}`);
  t.equal((await fetch(`${first.address}/readyz`)).status, 200, 'the first program still serves');
  t.match(await stop(first), { code: 0, stderr: '' });
});

test('of two simultaneous starts on a new DATA_DIR one serves and the other ends', async (t) => {
  const dataDir = await emptyDataDir(t);
  const starts = [1, 2].map(() => runProgram(t, { DATA_DIR: dataDir }));
  const refused = await Promise.race(starts.map(({ ended }) => ended));
  t.match(refused, { code: 1, stdout: '', stderr: `DATA_DIR ${dataDir} is in use` });
  t.equal(refused.stderr.trimEnd().split('\n').length, 1);
  const listening = await Promise.any(starts.map((start) => start.said(/listens on (\S+)/)));
  await ready(String(listening[1]));
});
