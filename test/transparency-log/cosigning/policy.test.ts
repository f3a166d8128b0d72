import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { OperatorError } from '../../../src/errors/operator-error.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { createCosigner } from '../../../src/transparency-log/cosigning/cosigner.ts';
import {
  readAskedPolicy,
  readPolicy,
} from '../../../src/transparency-log/cosigning/read-policy.ts';
import { findCosignatures } from '../../../src/verifier/log/find-cosignatures.ts';
import { isVerifiable, readWitnessKey } from '../../../src/verifier/log/note-key.ts';
import { isQuorum, parsePolicy } from '../../../src/verifier/log/policy.ts';
import { forkedLog } from '../../support/forked-log.ts';

const witnesses = Array.from({ length: 6 }, (_, n) =>
  createCosigner(`w${n}.example/w`, Buffer.alloc(32, 20 + n)),
);
const logKey = noteSigner('log.example/a', Buffer.alloc(32, 1)).vkey;
/** ML-DSA-44, with an id as the log of another program may state it. */
const later = `later.example/w+01020304+${Buffer.concat([Buffer.of(6), Buffer.alloc(1_312, 7)]).toString('base64')}`;
const lines = witnesses.map(({ vkey }, n) => `witness w${n} ${vkey} https://w${n}.example/\n`);
const grouped = `# Two of three, and one of three.
log ${logKey} https://log.example/
${lines.slice(0, 3).join('')}group  x\t2 w0 w1 w2
${lines.slice(3).join('')}
group y any w3 w4 w5
 group both all x y
quorum both
`;

test('a quorum is reached by the groups of a policy', async (t) => {
  const { logs, witnesses: known, quorum } = parsePolicy(grouped);
  t.match(logs, [{ name: 'log.example/a', url: 'https://log.example/' }]);
  t.equal(known.length, 6);
  const reaches = (...names: string[]) => isQuorum(quorum, new Set(names));
  t.ok(reaches('w0', 'w2', 'w4'));
  t.ok(reaches('w0', 'w1', 'w2', 'w3', 'w4', 'w5'));
  for (const few of [[], ['w0', 'w1', 'w2'], ['w0', 'w4'], ['w3', 'w4', 'w5']]) {
    t.notOk(reaches(...few), few.join());
  }
  t.ok(isQuorum(parsePolicy('quorum none\n').quorum, new Set()));
});

test('a policy with a mistake is refused, with its line', async (t) => {
  const sameId = (witnesses[0]?.vkey ?? '').replace(/\+[^+]+$/, `+${later.split('+').at(-1)}`);
  const [one = '', two = ''] = lines;
  const bad: readonly [string, RegExp][] = [
    ['', /no line: quorum/],
    ['quorum w0\n', /line 1: w0 is not defined/],
    [`${one}quorum w0\nquorum w0\n`, /line 3: there must be one line/],
    [`${one}${one.replace('w0', 'w9')}quorum none\n`, /line 2: another line has the same key/],
    [`${one}${two.replace('w1', 'w0')}quorum none\n`, /line 2: the name w0 is taken/],
    [
      `${one}witness x ${sameId}\nquorum none\n`,
      /line 2: another line has a key with the same name/,
    ],
    [
      `witness x ${sameId}\n${one}quorum none\n`,
      /line 2: another line has a key with the same name/,
    ],
    [`${one.replace('w0', 'none')}quorum none\n`, /the name none is taken/],
    [`${one}group g 2 w0\nquorum g\n`, /line 2: must be: group/],
    [`${one}group g 0 w0\nquorum g\n`, /line 2: must be: group/],
    [`${one}group g any\nquorum g\n`, /line 2: must be: group/],
    [`${one}group g any w0\ngroup h any w0\nquorum h\n`, /line 3: w0 is already a member/],
    [`group g any g\nquorum g\n`, /line 1: g is not defined/],
    [`witness w ${logKey}\nquorum w\n`, /line 1: must be: witness/],
    [`log ${witnesses[0]?.vkey}\nquorum none\n`, /line 1: must be: log/],
    ['logs x\nquorum none\n', /line 1: logs must be/],
    ['quorum none\r\n', /line 1: a control character/],
  ];
  for (const [text, message] of bad) t.throws(() => parsePolicy(text), message, text);
});

test('tells valid, invalid and unknown cosignatures apart', async (t) => {
  const log = forkedLog();
  const note = log.note(7);
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const [first, second, third] = witnesses.map((one) => one.cosign(text, 1_700_000_000));
  const stranger = createCosigner('stranger.example/w', Buffer.alloc(32, 60)).cosign(text, 1);
  const ofLater = `— later.example/w ${Buffer.concat([Buffer.of(1, 2, 3, 4), Buffer.alloc(2_428, 1)]).toString('base64')}\n`;
  const otherText = `${text.replace('\n7\n', '\n8\n')}`;
  const wrong = witnesses[2]?.cosign(otherText, 1_700_000_000);
  const policy = parsePolicy(
    `${lines.slice(0, 3).join('')}witness later ${later}\ngroup g 2 w0 w1 w2 later\nquorum g\n`,
  );
  const found = findCosignatures(`${note}${first}${second}${stranger}${ofLater}`, policy);
  t.match(found, {
    cosigned: [
      { witness: 'w0', at: '2023-11-14T22:13:20Z' },
      { witness: 'w1', at: '2023-11-14T22:13:20Z' },
    ],
    invalid: [],
    unknown: ['later'],
    hasQuorum: true,
  });
  const few = findCosignatures(`${note}${first}${wrong}${ofLater}`, policy);
  t.match(few, { cosigned: [{ witness: 'w0' }], invalid: ['w2'], hasQuorum: false });
  const both = findCosignatures(`${note}${third}${wrong}`, policy);
  t.match(
    both,
    { cosigned: [], invalid: ['w2'] },
    'one invalid signature of a key spoils the other',
  );
  t.match(
    findCosignatures(`${note}${first}${first}`, policy),
    { hasQuorum: false },
    'counted once',
  );
  t.equal(findCosignatures('no note', policy), null);
  const signed = witnesses.map((one) => one.cosign('hello\n', 1_700_000_000)).join('');
  t.equal(findCosignatures(`hello\n\n${signed}`, policy), null, 'a note, but no checkpoint');
});

test('a cosigner key is bound to its name, and no key of a log', async (t) => {
  const { vkey = '' } = witnesses[0] ?? {};
  t.ok(isVerifiable(readWitnessKey(vkey) ?? { type: 0 }));
  t.notOk(isVerifiable(readWitnessKey(later) ?? { type: 1 }));
  for (const bad of [vkey.replace('w0', 'w1'), logKey, `${vkey}A`, 'x', '', `a b${vkey}`]) {
    t.equal(readWitnessKey(bad), null, bad);
  }
});

test('the URL of a witness has no secret, which an error would name', async (t) => {
  const witnessPolicy = join(t.testdir({}), 'policy');
  const read = async (url: string) => {
    await writeFile(witnessPolicy, `witness w ${witnesses[0]?.vkey} ${url}\nquorum w\n`);
    return readAskedPolicy(witnessPolicy, 'the policy');
  };
  t.match(await read('https://w.example/a/'), { witnesses: [{ url: 'https://w.example/a/' }] });
  const unfit = ['ftp://w.example', 'https://u:hidden@w.example', 'https://:hidden@w.example'];
  for (const url of [...unfit, 'https://w.example/?hidden', 'https://w.example/#hidden']) {
    const error = await read(url).catch((refused: Error) => refused.message);
    t.match(error, /^the policy: the URL of w must begin with https:/, url);
    t.notMatch(error, /hidden/);
  }
});

test('a mistake in a policy file is an error for the operator, which names the file', async (t) => {
  const path = join(t.testdir({ policy: 'quorum nobody\n' }), 'policy');
  const message = 'line 1: nobody is not defined on an earlier line';
  const [plain, asked, unread] = await Promise.all([
    readPolicy(path).catch((error: unknown) => error),
    readAskedPolicy(path, 'WITNESS_POLICY').catch((error: unknown) => error),
    readPolicy(`${path}.absent`).catch((error: unknown) => error),
  ]);
  t.ok(plain instanceof OperatorError && asked instanceof OperatorError);
  t.match(plain, { message: `${path}: ${message}` });
  t.match(asked, { message: `WITNESS_POLICY: ${message}` });
  t.match(unread, { code: 'ENOENT' });
});
