import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'tap';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { newFolder } from '../../support/blobs.ts';
import { hostileTables } from '../../support/hostile-pdfs.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { projectRoot, run } from '../../support/run.ts';

const hostile = Object.entries(hostileTables());
const mostMs = 5_000;

for (const [what, pdf] of hostile) {
  test(`${what} are refused in a short time`, async (t) => {
    const before = process.cpuUsage();
    await t.rejects(extractBundle(pdf), NoBundle);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1_000;
    t.ok(ms < (await onThisMachine(mostMs)), `${ms} ms`);
  });
}

const noPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status !== 0 &&
  'NO PYTHON 3.8 OR NEWER, so verify.py is not tested';

test('verify.py refuses them in a short time', { skip: noPython }, async (t) => {
  const file = join(await newFolder(t), 'hostile.ndjson.gz');
  const expect = { result: 'refused', kind: 'certificate' };
  const lines = hostile.map(([id, pdf]) =>
    JSON.stringify({ id, certificateBase64: pdf.toString('base64'), options: {}, expect }),
  );
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 1 }));
  const script = join(projectRoot, 'src/pages/verify.py');
  const compare = ['python3', join(projectRoot, 'docs/vectors/run.py'), script, file];
  const { stdout, stderr } = await run(t, compare).ended;
  const [, count, seconds] =
    /^(\d+) vectors, 0 differ; the slowest took ([\d.]+) s/m.exec(stdout) ?? [];
  t.equal(Number(count), hostile.length, stdout + stderr);
  t.ok(1_000 * Number(seconds) < (await onThisMachine(mostMs)), stdout);
});

test('verify.py counts each row of an object stream with a predictor', {
  skip: noPython,
}, async (t) => {
  const [, pdf] = hostile.find(([id]) => id === 'packed objects with a predictor') ?? [];
  const file = join(await newFolder(t), 'hostile.pdf');
  writeFileSync(file, pdf ?? '');
  const script = join(projectRoot, 'src/pages/verify.py');
  const { stdout, stderr } = await run(t, ['python3', script, '--certificate', file]).ended;
  t.match(stdout + stderr, /it takes too much work to read/, 'the objects are not all read');
});
