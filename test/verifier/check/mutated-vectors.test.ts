import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { test } from 'tap';
import type { Verifier } from '../../../clients/typescript/src/verify/contract.ts';
import { isConsistent } from '../../../src/verifier/check/is-consistent.ts';
import { newFolder } from '../../support/blobs.ts';
import { projectRoot, run } from '../../support/run.ts';
import { runCount } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';
import { judgeVector, readVector } from '../../support/vectors/judge-vector.ts';
import { mutatedVectors } from '../../support/vectors/mutated-vectors.ts';
import { bytesOf, type Expectation, type Vector } from '../../support/vectors/vector.ts';

const vectors = gunzipSync(readFileSync(join(projectRoot, 'docs/vectors/vectors.ndjson.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line): Vector => JSON.parse(line));

/** Small ones: large ones and bombs take seconds, and are vectors already. */
const bases = vectors.filter(
  ({ id, bundle = '' }) => bundle.length < 100_000 && !/nested|MiB|128/.test(id),
);

const mostMs = 5_000;

/** Later checks may differ: of evidence that cannot be read, verifiers read different parts. */
function verdictOf(expectation: Expectation): string {
  if (expectation.result === 'refused') return `refused: ${expectation.kind}`;
  const [failed = ''] =
    Object.entries(expectation.checks).find(([, how]) => how === 'failed') ?? [];
  return `${expectation.result} ${failed}`;
}

test('all verifiers give altered bundles and certificates the same verdict', async (t) => {
  const random = seededRandom(t);
  const folder = await newFolder(t);
  const { verifier } = await builtVerifier(folder);
  const judged: Vector[] = [];
  const astray: unknown[] = [];
  for (const vector of mutatedVectors(bases, random)) {
    if (judged.length === runCount(100, 400)) break;
    const begun = performance.now();
    const expect = await judgeVector(vector);
    judged.push({ ...vector, expect });
    const verdict = verdictOf(expect);
    const ofClient = await judgeByClient(verifier, vector);
    // It reads the evidence before the options.
    const isOfOptions = expect.result === 'refused' && expect.kind === 'options';
    const isSame =
      verdictOf(ofClient) === verdict || (isOfOptions && ofClient.result === 'refused');
    if (!isSame) astray.push([vector.id, verdict, 'client', ofClient]);
    const read = expect.result === 'proven' ? await readVector(vector) : null;
    if (read !== null && !isConsistent(read)) astray.push([vector.id, verdict, 'page']);
    if (performance.now() - begun > mostMs) astray.push([vector.id, 'takes too long']);
  }
  t.strictSame(astray, []);
  const file = join(folder, 'mutated.ndjson.gz');
  writeFileSync(file, gzipSync(`${judged.map((one) => JSON.stringify(one)).join('\n')}\n`));
  const script = join(projectRoot, 'src/pages/verify.py');
  const compare = ['python3', join(projectRoot, 'docs/vectors/run.py'), script, file];
  const { stdout, stderr } = await run(t, compare).ended;
  const lines = stdout.trim().split('\n');
  const last = lines.pop() ?? '';
  const [, count, seconds] = /^(\d+) vectors, .* took ([\d.]+) s/.exec(last) ?? [];
  t.equal(Number(count), judged.length, stderr);
  t.ok(1_000 * Number(seconds) < mostMs, last);
  const different = lines
    .map((line): { found: Expectation; expected: Expectation } => JSON.parse(line))
    .filter(({ found, expected }) => verdictOf(found) !== verdictOf(expected));
  t.strictSame(different, []);
});

/** Builds the verifier of the TypeScript client as its package does, without modules of Node. */
async function builtVerifier(folder: string): Promise<{ readonly verifier: Verifier }> {
  const sources = join(projectRoot, 'clients/typescript/verifier');
  const outfile = join(folder, 'verifier.mjs');
  await build({
    ...{ bundle: true, format: 'esm', target: 'es2022', platform: 'browser' },
    ...{ entryPoints: [join(sources, 'verifier.ts')], outfile, logLevel: 'warning' },
  });
  return import(pathToFileURL(outfile).href);
}

async function judgeByClient(
  verifier: Verifier,
  vector: Omit<Vector, 'expect'>,
): Promise<Expectation> {
  const kind = vector.certificateBase64 === undefined ? 'bundle' : 'certificate';
  const { fileHash = null, ...known } = vector.options;
  const read = await verifier.read(bytesOf(vector), kind);
  if ('refused' in read) return { result: 'refused', kind };
  const found = verifier.judge(read, fileHash, known, {});
  if ('refused' in found) return { result: 'refused', kind: 'options' };
  const checks = Object.fromEntries(found.checks.map(({ name, outcome }) => [name, outcome]));
  return { result: found.result, checks } as Expectation;
}
