import { test } from 'tap';
import { type Facts, judge } from '../../src/pages/judge.js';
import { readBundle } from '../../src/pages/read-bundle.js';
import { sampleProof, sampleText } from '../support/sample-bundle.ts';

const { content, evidence } = sampleProof();
const { certificate } = readBundle(sampleText());

const data = {
  transactionHash: content.transactionHash,
  network: 'mainnet',
  standalone: false,
  verified: true,
  explorerUrl: content.explorerUrl,
  ledgerIndex: content.ledgerIndex,
  ledgerCloseTime: content.closeTimeIso,
  memo: JSON.parse(evidence.memo.data),
  account: content.account,
} as const;

const right: Facts = {
  fileHash: content.fileHash,
  given: { certificate, isConsistent: true },
  transactionHash: content.transactionHash,
  answer: { found: 'yes', data },
  commitment: content.commitment,
  isUnread: false,
  isBusy: false,
};
const other = 'f'.repeat(64);
const says = (change: object): Facts['answer'] => ({ found: 'yes', data: { ...data, ...change } });
const certified = (change: object) => ({
  certificate: { ...certificate, ...change },
  isConsistent: true,
});
const unverified = (reasonCode: string) => says({ verified: false, reason: 'r', reasonCode });

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
  [
    'a broken certificate',
    { given: { certificate, isConsistent: false } },
    'disproven',
    'certificateIsBroken',
  ],
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
  ['given with what cannot be read', { isUnread: true }, 'unknown', 'unread'],
  [
    'a wrong file before what cannot be read',
    { fileHash: other, isUnread: true },
    'unknown',
    'unread',
  ],
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
    { fileHash: null, commitment: null, given: null },
    'open',
    'needsFileToo',
  ],
  [
    'a file alone',
    { transactionHash: null, answer: null, given: null },
    'open',
    'needsTransaction',
  ],
  ['no nonce', { commitment: null, given: null }, 'open', 'needsNonce'],
  [
    'a test network',
    { answer: says({ network: 'testnet' }), given: certified({ network: 'testnet' }) },
    'proven',
    'provenTestnet',
  ],
  [
    'a development ledger',
    { answer: says({ standalone: true }), given: certified({ standalone: true }) },
    'trial',
    'provenStandalone',
  ],
];

for (const [what, change, kind, text] of rows) {
  test(`${what}: ${text}`, async (t) => {
    const judgement = judge({ ...right, ...change });
    t.match(judgement, { kind, text });
    if (kind === 'proven' || kind === 'trial') {
      t.ok(judgement.steps.every(({ status }) => status === 'ok'));
    }
    if (kind === 'unknown') t.equal(judgement.canRetry, !['ledgerReset', 'unread'].includes(text));
  });
}

test('a plain proof is compared with the hash itself', async (t) => {
  const memo = { fileHash: content.fileHash, hashScheme: 'sha256-plain-v1' };
  const plain = { ...right, given: null, commitment: null, answer: says({ memo }) };
  t.match(judge(plain), { kind: 'proven' });
  t.match(judge({ ...plain, fileHash: other }), { kind: 'disproven', text: 'hashIsNotAnchored' });
});

test('nothing but a full set of agreeing facts is proven', async (t) => {
  const values = {
    fileHash: [content.fileHash, other, null],
    given: [
      right.given,
      certified({ fileHash: other }),
      { certificate, isConsistent: false },
      null,
    ],
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
  // Without a certificate the page cannot know whose commitment it is: only that it is the ledger's.
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
