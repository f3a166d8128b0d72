import { test } from 'tap';
import { certificateOf } from '../../src/pages/certificate.js';
import { judge } from '../../src/pages/judge.js';
import type { Facts } from '../../src/pages/verdict.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { sampleProof, sampleText } from '../support/sample-bundle.ts';

const { content, evidence: ledgerData } = sampleProof();
const certificate = certificateOf(readBundle(sampleText()));

const data = {
  transactionHash: content.transactionHash,
  network: 'mainnet',
  standalone: false,
  verified: true,
  explorerUrl: content.explorerUrl,
  ledgerIndex: content.ledgerIndex,
  ledgerCloseTime: content.closeTimeIso,
  memo: JSON.parse(ledgerData.memo.data),
  account: content.account,
  server: 'ledger.example',
} as const;

const right: Facts = {
  fileHash: content.fileHash,
  given: { certificate, isConsistent: true, form: 'pdf' },
  transactionHash: content.transactionHash,
  answer: { found: 'yes', data },
  commitment: content.commitment,
  besides: 'none',
  isBusy: false,
};
const other = 'f'.repeat(64);
const says = (change: object): Facts['answer'] => ({ found: 'yes', data: { ...data, ...change } });
const certified = (change: object) => ({
  certificate: { ...certificate, ...change },
  isConsistent: true,
  form: 'pdf' as const,
});
const broken = { ...certified({}), isConsistent: false };
const stamped = (time: string | null) => ({ ...certified({}), timestamp: { time } });
const evidence = (status: 'failed' | 'notChecked', text: string) =>
  ({ name: 'txSignature', status, text }) as const;
const unverified = (reasonCode: string) => says({ verified: false, reason: 'r', reasonCode });

test('statements and pages count as the issuer’s own only under keys that the reader knows', async (t) => {
  const checks = (issuer: 'ok' | 'stated' | 'notChecked', issued: 'ok' | 'stated' | 'notChecked') =>
    [
      { name: 'issuer', status: issuer, text: 'issuerSigned' },
      { name: 'issued', status: issued, text: 'issuedRecorded' },
    ] as const;
  const outcomes = (given: ReturnType<typeof checks>) =>
    judge({ ...right, given: { ...certified({}), checks: given } })
      .steps.filter(({ name }) => name === 'statements' || name === 'pages')
      .map(({ status, text }) => `${status} ${text}`);
  t.strictSame(outcomes(checks('ok', 'ok')), ['noted statementsAreSigned', 'noted pagesAreIssued']);
  t.strictSame(outcomes(checks('stated', 'stated')), [
    'stated statementsAreStated',
    'stated pagesAreStated',
  ]);
  t.strictSame(outcomes(checks('notChecked', 'notChecked')), [
    'claimed statementsAreClaims',
    'claimed pagesNotChecked',
  ]);
});

const rows: [string, Partial<Facts>, string, string][] = [
  ['everything right', {}, 'proven', 'proven'],
  ['no certificate', { given: null }, 'proven', 'proven'],
  ['another file', { fileHash: other, commitment: other }, 'disproven', 'fileIsAnother'],
  ['another file, no ledger', { fileHash: other, answer: null }, 'disproven', 'fileIsAnother'],
  ['wrong nonce', { given: null, commitment: other }, 'disproven', 'fileOrNonceDiffers'],
  [
    'a ledger that holds something else',
    { given: null, answer: says({ memo: { ...data.memo, fileHash: other } }) },
    'disproven',
    'fileOrNonceDiffers',
  ],
  [
    'a certificate of something else',
    { answer: says({ memo: { ...data.memo, fileHash: other } }) },
    'disproven',
    'certificateDisagrees',
  ],
  ['a time-stamp token', { given: stamped('2026-11-23T18:11:17.000Z') }, 'proven', 'proven'],
  ['a token of something else', { given: stamped(null) }, 'disproven', 'timestampIsForeign'],
  [
    'a token and no ledger',
    { given: stamped('2026-11-23T18:11:17.000Z'), answer: { found: 'unreachable' } },
    'unknown',
    'unreachable',
  ],
  ['a broken certificate', { given: broken }, 'disproven', 'certificateIsBroken'],
  ['another account', { given: certified({ account: 'rX' }) }, 'disproven', 'accountDiffers'],
  ['another time', { given: certified({ closeTimeIso: 'x' }) }, 'disproven', 'timeDiffers'],
  ['another ledger', { given: certified({ ledgerIndex: 1 }) }, 'disproven', 'timeDiffers'],
  [
    'another network',
    { given: certified({ network: 'testnet' }) },
    'disproven',
    'certificateDisagrees',
  ],
  [
    'claims to be no rehearsal',
    { answer: says({ standalone: true }) },
    'disproven',
    'certificateDisagrees',
  ],
  ['another chain', { given: certified({ previous: null }) }, 'disproven', 'certificateDisagrees'],
  ['foreign', { answer: unverified('FOREIGN_ACCOUNT') }, 'disproven', 'accountIsForeign'],
  ['failed', { answer: unverified('TRANSACTION_FAILED') }, 'disproven', 'transactionFailed'],
  ['contradicted', { answer: unverified('LEDGER_CONTRADICTS') }, 'disproven', 'ledgerContradicts'],
  ['of a reason yet to come', { answer: unverified('NEW') }, 'disproven', 'notVerified'],
  ['reset', { answer: unverified('LEDGER_RESET') }, 'unknown', 'ledgerReset'],
  ['unknown', { answer: { found: 'no' } }, 'unknown', 'ledgerHasNone'],
  ['silent', { answer: { found: 'ledgerSilent' } }, 'unknown', 'ledgerSilent'],
  ['away', { answer: { found: 'unreachable' } }, 'unknown', 'unreachable'],
  ['too often', { answer: { found: 'limited', seconds: 7 } }, 'unknown', 'limited'],
  ['not understood', { answer: { found: 'strange' } }, 'unknown', 'strange'],
  ['taking a pause', { answer: { found: 'paused', seconds: 2 } }, 'unknown', 'paused'],
  ['without a memo', { given: null, answer: says({ memo: null }) }, 'unknown', 'strange'],
  [
    'of a reason named like what every object has',
    { answer: unverified('constructor') },
    'disproven',
    'notVerified',
  ],
  ['being read', { isBusy: true }, 'open', 'reading'],
  ['being asked', { answer: null }, 'open', 'asking'],
  ['no file', { fileHash: null, commitment: null }, 'open', 'needsFile'],
  [
    'a transaction alone',
    { fileHash: null, commitment: null, given: null, answer: says({ server: undefined }) },
    'open',
    'recorded',
  ],
  [
    'a transaction alone, on a test network',
    {
      fileHash: null,
      commitment: null,
      given: null,
      answer: says({ server: undefined, network: 'testnet' }),
    },
    'open',
    'recordedTestnet',
  ],
  [
    'a transaction alone, on a development ledger',
    {
      fileHash: null,
      commitment: null,
      given: null,
      answer: says({ server: undefined, network: 'testnet', standalone: true }),
    },
    'open',
    'recordedStandalone',
  ],
  [
    'a transaction alone, on a test network of a named server',
    { fileHash: null, commitment: null, given: null, answer: says({ network: 'testnet' }) },
    'open',
    'recordedByServerTestnet',
  ],
  [
    'a transaction alone on a named server',
    { fileHash: null, commitment: null, given: null },
    'open',
    'recordedByServer',
  ],
  ['the word of the service alone', { answer: says({ server: undefined }) }, 'partial', 'stated'],
  [
    'the word of the service alone, on a test network',
    {
      answer: says({ server: undefined, network: 'testnet' }),
      given: certified({ network: 'testnet' }),
    },
    'partial',
    'statedTestnet',
  ],
  [
    'a forged signature of the transaction',
    { given: { ...certified({}), checks: [evidence('failed', 'txForged')] } },
    'disproven',
    'evidenceFails',
  ],
  [
    'an unchecked signature of the log',
    { given: { ...certified({}), checks: [evidence('notChecked', 'logKeyUnknown')] } },
    'proven',
    'proven',
  ],
  [
    'no verifier of signatures',
    { given: { ...certified({}), checks: null } },
    'unknown',
    'verifierMissing',
  ],
  [
    'no verifier of signatures, and the service alone',
    { given: { ...certified({}), checks: null }, answer: says({ server: undefined }) },
    'unknown',
    'verifierMissing',
  ],
  [
    'a named server that contradicts the service',
    { server: { name: 'server', status: 'failed', text: 'serverDiffers' } },
    'disproven',
    'evidenceFails',
  ],
  [
    'a named server that is silent, and the service alone',
    {
      answer: says({ server: undefined }),
      server: { name: 'server', status: 'unknown', text: 'serverSilent' },
    },
    'partial',
    'stated',
  ],
  [
    'no file among those given',
    { fileHash: null, commitment: null, besides: 'others' },
    'open',
    'fileNotGiven',
  ],
  [
    'a transaction, and no file among those given',
    { fileHash: null, commitment: null, given: null, besides: 'others' },
    'open',
    'fileNotGivenToo',
  ],
  [
    'files that only a nonce can tell',
    { fileHash: null, commitment: null, given: null, besides: 'locked' },
    'open',
    'needsNonce',
  ],
  [
    'an earlier revision of its file',
    { fileHash: null, commitment: null, besides: { earlier: 'old.txt' } },
    'open',
    'earlierGiven',
  ],
  [
    'a form for sharing and a wrong nonce',
    { given: certified({ nonce: null }), commitment: other },
    'disproven',
    'fileOrNonceDiffers',
  ],
  ['a wrong commitment', { commitment: other }, 'disproven', 'commitmentDiffers'],
  ['no nonce', { commitment: null, given: null }, 'open', 'needsNonce'],
  [
    'a test network',
    { answer: says({ network: 'testnet' }), given: certified({ network: 'testnet' }) },
    'proven',
    'provenTestnet',
  ],
  [
    'a development ledger',
    {
      answer: says({ network: 'standalone', standalone: true }),
      given: certified({ standalone: true }),
    },
    'trial',
    'provenStandalone',
  ],
];

const ofLedger = ['commitment', 'ledger', 'time'];

for (const [what, change, kind, text] of rows) {
  test(`${what}: ${text}`, async (t) => {
    const judgement = judge({ ...right, ...change });
    t.match(judgement, { kind, text });
    if (kind === 'proven' || kind === 'trial') {
      const checked = judgement.steps.filter(({ status }) => status === 'ok');
      t.strictSame(
        checked.map(({ name }) => name),
        change.given === null ? ofLedger : ['file', ...ofLedger],
      );
    }
    if (kind === 'unknown') t.equal(judgement.canRetry, text !== 'ledgerReset');
  });
}

test('nothing is ticked on the word of the service alone', async (t) => {
  for (const fileHash of [content.fileHash, null])
    for (const given of [right.given, null])
      for (const answer of [says({ server: undefined }), { found: 'unreachable' } as const, null]) {
        const { kind, steps } = judge({ ...right, fileHash, given, answer });
        t.not(kind, 'proven');
        t.strictSame(
          steps.filter(({ status }) => status === 'ok'),
          [],
        );
      }
});

test('statements of a certificate about itself are never ticked', async (t) => {
  const statusOf = (facts: Partial<Facts>) =>
    Object.fromEntries(
      judge({ ...right, ...facts }).steps.map(({ name, status }) => [name, status]),
    );
  t.match(statusOf({}), { certificate: 'noted', statements: 'claimed', pages: 'claimed' });
  t.match(statusOf({ answer: null }), { certificate: 'unknown', statements: 'claimed' });
  const bundle = { ...certified({}), form: 'json' as const };
  t.notOk('pages' in statusOf({ given: bundle }), 'a bundle has no pages');
  t.match(statusOf({ given: null }), { file: 'noted' }, 'a file hash alone proves nothing');
  const [claims] = judge(right).steps.flatMap((step) => step.claims ?? []);
  t.equal(claims?.organisationName, content.organisationName);
});

test('a plain proof is compared with the file hash itself', async (t) => {
  const memo = { fileHash: content.fileHash, hashScheme: 'sha256-plain-v1' };
  const plain = { ...right, given: null, commitment: null, answer: says({ memo }) };
  t.match(judge(plain), { kind: 'proven' });
  t.match(judge({ ...plain, fileHash: other }), { kind: 'disproven', text: 'hashIsNotAnchored' });
});

test('only a full set of agreeing facts is proven', async (t) => {
  const values = {
    fileHash: [content.fileHash, other, null],
    given: [right.given, certified({ fileHash: other }), broken, null],
    answer: [right.answer, unverified('NEW'), { found: 'no' } as const, null],
    commitment: [content.commitment, other, null],
    isBusy: [false, true],
  };
  const proven: Partial<Facts>[] = [];
  for (const fileHash of values.fileHash)
    for (const given of values.given)
      for (const answer of values.answer)
        for (const commitment of values.commitment)
          for (const isBusy of values.isBusy) {
            const facts = { ...right, fileHash, given, answer, commitment, isBusy };
            if (judge(facts).kind === 'proven') proven.push(facts);
          }
  // Without a certificate the page can only compare the commitment with the ledger.
  t.ok(
    proven.every(({ answer, commitment, isBusy, fileHash }) => {
      return answer === right.answer && commitment === content.commitment && !isBusy && fileHash;
    }),
  );
  t.ok(
    proven.every(
      ({ given, fileHash }) =>
        !given || (given.isConsistent && given.certificate.fileHash === fileHash),
    ),
  );
  t.ok(proven.includes(proven.find(({ given }) => given === right.given) ?? {}));
});
