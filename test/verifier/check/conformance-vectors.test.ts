import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Test, test } from 'tap';
import { checkEvidence } from '../../../src/pages/check-evidence.js';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { attestedAnchor } from '../../../src/verifier/check/attested-anchor.ts';
import type { CheckName } from '../../../src/verifier/check/check.ts';
import { isConsistent } from '../../../src/verifier/check/is-consistent.ts';
import { isSigned } from '../../../src/verifier/check/issuer-note.ts';
import { readCheckpointNote } from '../../../src/verifier/log/checkpoint.ts';
import { newFolder } from '../../support/blobs.ts';
import { projectRoot, run } from '../../support/run.ts';
import { isThorough } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';
import { judgeVector, readVector } from '../../support/vectors/judge-vector.ts';
import { otherLogVectors } from '../../support/vectors/other-log-vectors.ts';
import type { Vector } from '../../support/vectors/vector.ts';

const folder = join(projectRoot, 'docs/vectors');
const file = join(folder, 'vectors.ndjson.gz');
const vectors = gunzipSync(readFileSync(file))
  .toString()
  .trim()
  .split('\n')
  .map((line): Vector => JSON.parse(line));

test('the conformance vectors are many, small and of every result', async (t) => {
  t.ok(vectors.length >= 300, `${vectors.length} vectors`);
  t.ok(statSync(file).size < 2_000_000);
  t.equal(new Set(vectors.map(({ id }) => id)).size, vectors.length);
  const results = new Set(vectors.map(({ expect }) => expect.result));
  t.strictSame([...results].sort(), ['notProven', 'notProvenYet', 'proven', 'refused']);
});

/** Every vector if `CI` is set, else every fourth from a random one on: all take ten seconds. */
function drawn(t: Test): readonly Vector[] {
  const first = Math.floor(seededRandom(t)() * 4);
  return isThorough ? vectors : vectors.filter((_, index) => index % 4 === first);
}

test('the modules of ops verify hold the conformance vectors', async (t) => {
  const astray: unknown[] = [];
  for (const vector of drawn(t)) {
    const { expect } = vector;
    const found = await judgeVector(vector);
    if (JSON.stringify(found) !== JSON.stringify(expect)) astray.push([vector.id, found, expect]);
  }
  t.strictSame(astray, []);
});

/** Hashes that the page compares in every bundle. Disagreement of any of them fails these checks. */
const ofPage: readonly CheckName[] = [
  ...(['checksum', 'commitment', 'transaction hash'] as const),
  ...(['ledger header', 'close time', 'addresses'] as const),
];
const ofValidators: readonly CheckName[] = [
  ...(['transaction path', 'header chain', 'validator list', 'validations'] as const),
];

/** Many vectors have the same signatures of validators. */
const attestations = new Map<string, boolean>();

test('the modules of the page hold the conformance vectors', async (t) => {
  const astray: unknown[] = [];
  for (const { expect, ...vector } of drawn(t)) {
    if (expect.result === 'refused' && expect.kind === 'options') continue;
    const bundle = await readVector(vector);
    if (bundle === null || expect.result === 'refused') {
      if ((bundle === null) !== (expect.result === 'refused')) astray.push([vector.id, 'read']);
      continue;
    }
    const { checks, result } = expect;
    const consistent = isConsistent(bundle);
    const { network, standalone } = bundle.anchor;
    const keys = vector.options.validatorListKeys ?? [];
    const publishers = keys.map((key) => ({ name: 'named', network, key: key.toUpperCase() }));
    const { anchor, evidence } = bundle;
    const word = 'attestation' in bundle && bundle.attestation;
    const same = JSON.stringify([anchor, evidence, word, publishers]);
    const attested = attestations.get(same) ?? attestedAnchor(bundle, publishers) !== null;
    attestations.set(same, attested);
    const isProven = result === 'proven' && !standalone;
    if (isProven && !(consistent && attested)) astray.push([vector.id, 'proven', checks]);
    if (consistent && ofPage.some((name) => checks[name] === 'failed')) {
      astray.push([vector.id, 'consistent', checks]);
    }
    if (attested && !ofValidators.every((name) => checks[name] === 'ok')) {
      astray.push([vector.id, 'attested', checks]);
    }
  }
  t.strictSame(astray, []);
});

/** Checks of the log by the step of the page that shows the same. */
const ofLog: readonly (readonly [string, CheckName])[] = [
  ['logEntry', 'log entry'],
  ['logCheckpoint', 'log checkpoint'],
  ['logQuorum', 'log witnesses'],
];
const ofIssuer = ['issuer', 'issuer signature'] as const;

test('the page judges log, witnesses and signatures as ops verify does', async (t) => {
  const astray: unknown[] = [];
  for (const { expect, ...vector } of drawn(t)) {
    const bundle = await readVector(vector);
    if (bundle === null || expect.result === 'refused') continue;
    const { checks } = expect;
    const { logKeys = [], issuerKeys = [], policy = '' } = vector.options;
    // The word of the validators takes long, and has a test of its own. The issuer signs it too.
    const brief = isSigned(bundle) ? bundle : ({ ...bundle, attestation: null } as Bundle);
    const { steps } = checkEvidence(brief, [...logKeys, ...issuerKeys, policy].join('\n'));
    const stepOf = (wanted: string) => steps.find(({ name }) => name === wanted);
    // Of a malformed checkpoint the page shows one step.
    const isOneStep = bundle.version !== 1 && readCheckpointNote(bundle.log.checkpoint) === null;
    const shown = bundle.version === 1 ? [] : isOneStep ? ofLog.slice(0, 1) : ofLog;
    // The page has one field for keys of logs and issuers.
    const isMixed = logKeys.some((key) => key.includes('/issuer+'));
    for (const [name, check] of isMixed ? shown : [...shown, ofIssuer]) {
      const { status } = stepOf(name) ?? {};
      const outcome = status === 'noted' || status === 'none' ? 'ok' : status;
      if (outcome !== checks[check]) astray.push([vector.id, check, checks[check], status]);
    }
    const { status, text } = stepOf('txSignature') ?? {};
    // The page knows anchors alone, so it finds no signature in any other transaction.
    const isAnchor = checks.transaction === 'ok';
    if (
      (isAnchor || status !== 'failed') &&
      (status === 'failed') !== (checks.signature === 'failed')
    )
      astray.push([vector.id, 'signature', status]);
    if (text === 'txSigned' && checks['signing key'] !== 'ok') astray.push([vector.id, text]);
  }
  t.strictSame(astray, []);
});

test('the page fails under each policy that ops verify refuses', async (t) => {
  // The page takes an empty field for no policy, and ignores white space around lines.
  const isSame = ({ id }: Vector) => !/^policy: (is empty|has carriage returns)$/.test(id);
  const refused = vectors.filter(
    (one) => one.id.startsWith('policy: ') && one.expect.result === 'refused' && isSame(one),
  );
  t.ok(refused.length > 30, `${refused.length} policies`);
  for (const vector of refused) {
    const bundle = await readVector(vector);
    if (bundle === null) throw new Error(vector.id);
    const { logKeys = [], policy = '' } = vector.options;
    const { steps } = checkEvidence(bundle, [...logKeys, policy].join('\n'));
    t.match(
      steps.filter(({ name }) => name === 'logQuorum'),
      [{ status: 'failed', text: 'logPolicyWrong' }],
      vector.id,
    );
  }
});

const hasPython = 'import sys; sys.exit(sys.version_info < (3, 8))';
const noPython =
  spawnSync('python3', ['-c', hasPython]).status !== 0 &&
  'NO PYTHON 3.8 OR NEWER, so verify.py is not tested';

if (noPython) console.error(noPython);

test('verify.py holds the conformance vectors', { skip: noPython }, async (t) => {
  const script = join(projectRoot, 'src/pages/verify.py');
  const lines = readFileSync(script, 'utf8').trimEnd().split('\n');
  t.ok(lines.length <= 900, `${lines.length} lines`);
  t.strictSame(
    lines.filter((line) => line.length > 120),
    [],
  );
  await holdInPython(t, drawn(t));
});

test('verify.py ignores keys of other logs', { skip: noPython }, async (t) => {
  const ids = otherLogVectors().map(({ id }) => id);
  const some = vectors.filter(({ id }) => ids.includes(id));
  t.equal(some.length, ids.length);
  await holdInPython(t, some);
});

test('verify.py reads a long policy', { skip: noPython }, async (t) => {
  const [vector] = vectors.filter(({ id }) => id === 'policy: has a comment of 70,000 characters');
  const at = await newFolder(t);
  writeFileSync(join(at, 'bundle.json'), vector?.bundle ?? '');
  writeFileSync(join(at, 'policy.txt'), vector?.options.policy ?? '');
  const script = join(projectRoot, 'src/pages/verify.py');
  const given = ['--bundle', join(at, 'bundle.json'), '--policy', join(at, 'policy.txt')];
  const { code, stdout, stderr } = await run(t, ['python3', script, ...given]).ended;
  t.equal(code, 0, stdout + stderr);
  t.match(stdout, /^ok +log witnesses/m);
});

async function holdInPython(t: Test, some: readonly Vector[]): Promise<void> {
  const script = join(projectRoot, 'src/pages/verify.py');
  const fileOfSome = join(await newFolder(t), 'vectors.ndjson.gz');
  writeFileSync(fileOfSome, gzipSync(`${some.map((one) => JSON.stringify(one)).join('\n')}\n`));
  const compare = ['python3', join(folder, 'run.py'), script, fileOfSome];
  const { code, stdout, stderr } = await run(t, compare).ended;
  t.equal(code, 0, stdout + stderr);
  t.match(stdout, `${some.length} vectors, 0 differ`);
}
