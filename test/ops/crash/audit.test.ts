import { test } from 'tap';
import { audit } from '../../../ops/crash/audit.ts';
import type { Evidence } from '../../../ops/crash/evidence.ts';
import type { Violation } from '../../../ops/crash/violation.ts';

/** An even first byte makes the harness's callers choose the plain scheme, which anchors the hash itself. */
const hash = '00'.repeat(32);
const hashScheme = 'sha256-plain-v1';
const account = 'rA';
const shown = {
  txHash: 'A',
  ledgerIndex: 7,
  sequence: 5,
  result: 'tesSUCCESS',
  memo: { fileHash: hash, hashScheme },
};
const history = { address: account, firstSequence: 5, nextSequence: 6, sent: [shown] };
const empty = { ...history, nextSequence: 5, sent: [] };
const proof = {
  proofId: 'P',
  fileHash: hash,
  commitment: hash,
  hashScheme,
  requestedAt: 10_000,
  queuedAt: null,
  anchored: [{ txHash: 'A', ledgerIndex: 7 }],
  withdrawnAt: null,
  nonceDelivered: false,
};
const withdrawn = { ...proof, anchored: [], withdrawnAt: 12_000 };
const signed = {
  txHash: 'A',
  account,
  sequence: 5,
  proofId: 'P',
  preparedAt: 10,
  settledAt: 20,
  outcome: 'validated',
  replaces: null,
} as const;
const absent = { ...signed, outcome: 'absent' } as const;
const taken = { account, sequence: 5, proofId: 'P', at: 11_000 };
const created = {
  hash,
  postedAt: 10_000,
  answeredAt: 13_000,
  status: 201,
  code: null,
  alreadyProven: false,
  proof: { proofId: 'P', txHash: 'A', proofCommitment: null, proofNonce: null },
};
const repeated = { ...created, status: 200, alreadyProven: true };
const accepted = { ...created, status: 202, proof: { ...created.proof, txHash: null } };
const rolledBack = { ...created, status: 502, code: 'XRPL_ERROR', proof: null };
const notRecorded = { ...rolledBack, code: 'PROOF_NOT_RECORDED' };
const report = { proofId: 'P', blockchainStatus: 'completed', txHash: 'A', ledgerIndex: 7 };
const attesting = { ledgers: [], attestations: new Map(), lists: [], publisherKeys: [] };
const whole: Evidence = {
  attesting,
  observations: [created],
  reports: [report],
  proofs: [proof],
  transactions: [signed],
  taken: [taken],
  ledger: [history],
};
const nothing: Evidence = {
  attesting,
  observations: [],
  reports: [],
  proofs: [],
  transactions: [],
  taken: [],
  ledger: [empty],
};
/** A proof that was signed, expired and rolled back. */
const undone: Evidence = {
  ...whole,
  observations: [rolledBack],
  reports: [],
  proofs: [withdrawn],
  transactions: [absent],
  ledger: [empty],
};
/** A proof signed again after the Sequence of its first transaction was free. */
const signedAgain: Evidence = {
  ...whole,
  transactions: [
    { ...absent, txHash: 'Z' },
    { ...signed, preparedAt: 21, settledAt: 30 },
  ],
};

/** A transaction that was replaced by a higher fee before either was on the ledger. */
const replaced = { ...signed, txHash: 'Z', preparedAt: 8, outcome: 'replaced' } as const;
const replacement = { ...signed, replaces: 'Z' };

function kinds(evidence: Evidence): readonly Violation['kind'][] {
  return audit(evidence).map(({ kind }) => kind);
}

const sound: readonly (readonly [string, Evidence])[] = [
  ['a proof that is created and returned again', { ...whole, observations: [created, repeated] }],
  ['nothing at all', nothing],
  ['a transaction that was replaced', { ...whole, transactions: [replaced, replacement] }],
  [
    'a transaction that is on the ledger although it was replaced',
    { ...whole, transactions: [signed, { ...replaced, preparedAt: 12, replaces: 'A' }] },
  ],
  [
    'a nonce that was delivered with a caller who got no answer',
    {
      ...whole,
      observations: [{ ...created, status: null, proof: null }, repeated],
      proofs: [{ ...proof, nonceDelivered: true }],
    },
  ],
  ['a proof that was rolled back', undone],
  [
    'a proof that was refused because the ledger was away',
    { ...nothing, observations: [rolledBack] },
  ],
  [
    'a proof refused because the ledger was away, long after its rollback',
    { ...undone, observations: [{ ...rolledBack, postedAt: 20_000, answeredAt: 21_000 }] },
  ],
  ['a proof that was signed a second time', signedAgain],
  [
    'a proof that was anchored after its callers had left',
    {
      ...whole,
      observations: [accepted, notRecorded],
      proofs: [{ ...proof, queuedAt: 12_000 }],
    },
  ],
  [
    'a gap that was filled',
    {
      ...nothing,
      transactions: [{ ...signed, proofId: null }],
      ledger: [{ ...history, sent: [{ ...shown, memo: null }] }],
    },
  ],
  [
    'a transaction that failed on the ledger',
    {
      ...undone,
      transactions: [{ ...signed, outcome: 'failed' }],
      ledger: [{ ...history, sent: [{ ...shown, result: 'tecPATH_DRY' }] }],
    },
  ],
  [
    'callers who got no answer',
    { ...nothing, observations: [{ ...created, status: null, proof: null }] },
  ],
];

for (const [name, evidence] of sound) {
  test(`an audit finds nothing in ${name}`, async (t) => {
    t.strictSame(kinds(evidence), []);
  });
}

const broken: readonly (readonly [string, Evidence, readonly Violation['kind'][]])[] = [
  [
    'an acknowledged proof that is not in the log',
    { ...nothing, observations: [created] },
    ['lost'],
  ],
  [
    'an acknowledged proof that is not on the ledger',
    { ...undone, observations: [created] },
    ['lost'],
  ],
  [
    'an accepted proof that was never anchored',
    { ...undone, observations: [accepted], proofs: [{ ...withdrawn, queuedAt: 12_000 }] },
    ['lost'],
  ],
  [
    'an accepted proof that was queued only after its answer',
    { ...whole, observations: [accepted], proofs: [{ ...proof, queuedAt: 13_001 }] },
    ['notQueued'],
  ],
  [
    'a queued proof that was never anchored',
    { ...undone, observations: [notRecorded], proofs: [{ ...withdrawn, queuedAt: 12_000 }] },
    ['lost'],
  ],
  [
    'a proof answered as queued that was never queued',
    { ...whole, observations: [notRecorded] },
    ['notQueued'],
  ],
  [
    'a proof without an outcome',
    {
      ...undone,
      observations: [],
      proofs: [{ ...withdrawn, withdrawnAt: null }],
    },
    ['unsettled'],
  ],
  [
    'a signed transaction without an outcome',
    { ...undone, transactions: [{ ...signed, outcome: 'open', settledAt: null }] },
    ['unsettled'],
  ],
  [
    'a completed proof that the ledger does not have',
    { ...whole, observations: [], reports: [], ledger: [empty] },
    ['completedButNotOnLedger', 'completedButNotOnLedger'],
  ],
  [
    'a completed proof that failed on the ledger',
    {
      ...whole,
      observations: [],
      reports: [],
      ledger: [{ ...history, sent: [{ ...shown, result: 'tecPATH_DRY' }] }],
    },
    ['completedButNotOnLedger', 'completedButNotOnLedger'],
  ],
  [
    'a proof in another ledger than recorded',
    { ...whole, proofs: [{ ...proof, anchored: [{ txHash: 'A', ledgerIndex: 8 }] }] },
    ['completedButNotOnLedger'],
  ],
  [
    'a recorded failure that is not on the ledger',
    { ...undone, transactions: [{ ...signed, outcome: 'failed' }] },
    ['completedButNotOnLedger'],
  ],
  [
    'a report of a completed proof that the ledger does not have',
    { ...nothing, reports: [report] },
    ['completedButNotOnLedger'],
  ],
  [
    'a report that names another ledger',
    { ...whole, reports: [{ ...report, ledgerIndex: 8 }] },
    ['completedButNotOnLedger'],
  ],
  [
    'a successful transaction that completed no proof',
    { ...undone, transactions: [signed], ledger: [history] },
    ['lost', 'rolledBackButOnLedger'],
  ],
  [
    'a transaction of the account that the service did not sign',
    {
      ...whole,
      ledger: [
        {
          ...history,
          nextSequence: 7,
          sent: [shown, { ...shown, txHash: 'B', sequence: 6, memo: null }],
        },
      ],
    },
    ['foreignTransaction'],
  ],
  [
    'a transaction with another Sequence than recorded',
    { ...whole, transactions: [{ ...signed, sequence: 6 }], taken: [{ ...taken, sequence: 6 }] },
    ['foreignTransaction'],
  ],
  [
    'a memo with another hash',
    {
      ...whole,
      observations: [],
      ledger: [{ ...history, sent: [{ ...shown, memo: { fileHash: 'other', hashScheme } }] }],
    },
    ['anotherMemo', 'completedButNotOnLedger'],
  ],
  [
    'a memo under another scheme',
    {
      ...whole,
      ledger: [
        {
          ...history,
          sent: [{ ...shown, memo: { fileHash: hash, hashScheme: 'hmac-sha256-nonce-v3' } }],
        },
      ],
    },
    ['anotherMemo'],
  ],
  [
    "a gap in the ledger's history of an account",
    { ...whole, ledger: [{ ...history, firstSequence: 4 }] },
    ['sequenceGap'],
  ],
  [
    'a Sequence that the ledger shows twice',
    {
      ...whole,
      transactions: [signed, { ...signed, txHash: 'B', proofId: null }],
      ledger: [
        { ...history, nextSequence: 7, sent: [shown, { ...shown, txHash: 'B', memo: null }] },
      ],
    },
    ['sequenceGap', 'sequenceTakenTwice'],
  ],
  [
    'a Sequence that was taken while in use',
    {
      ...signedAgain,
      transactions: [
        { ...absent, txHash: 'Z', settledAt: 22 },
        { ...signed, preparedAt: 21, settledAt: 30 },
      ],
    },
    ['sequenceTakenTwice'],
  ],
  [
    'a replacement that is on the ledger together with the transaction that it replaces',
    {
      ...whole,
      transactions: [replaced, replacement],
      ledger: [
        { ...history, nextSequence: 7, sent: [{ ...shown, txHash: 'Z', memo: null }, shown] },
      ],
    },
    ['anotherMemo', 'sequenceGap', 'absentButOnLedger'],
  ],
  [
    'a Sequence that was taken without a replacement on record',
    { ...whole, transactions: [replaced, signed] },
    ['sequenceTakenTwice'],
  ],
  ['a signature without a recorded Sequence', { ...whole, taken: [] }, ['sequenceNotTaken']],
  [
    'a transaction that was declared absent and is on the ledger',
    {
      ...undone,
      observations: [],
      proofs: [],
      ledger: [{ ...history, sent: [{ ...shown, memo: null }] }],
    },
    ['absentButOnLedger'],
  ],
  [
    'a commitment that is on the ledger twice',
    {
      ...whole,
      transactions: [signed, { ...signed, txHash: 'B', sequence: 6 }],
      taken: [taken, { ...taken, sequence: 6 }],
      ledger: [
        { ...history, nextSequence: 7, sent: [shown, { ...shown, txHash: 'B', sequence: 6 }] },
      ],
    },
    ['lost', 'doubleAnchored', 'doubleAnchored'],
  ],
  [
    'a nonce recorded as delivered that no answer has',
    { ...whole, proofs: [{ ...proof, nonceDelivered: true }] },
    ['nonceLost'],
  ],
  [
    'two live proofs of one hash',
    { ...whole, proofs: [proof, { ...proof, proofId: 'Q', anchored: [] }] },
    ['unsettled', 'doubleAnchored'],
  ],
  [
    'a proof that was rolled back and is on the ledger',
    { ...whole, observations: [rolledBack], proofs: [withdrawn] },
    ['lost', 'rolledBackButOnLedger'],
  ],
  [
    'a proof answered as rolled back that is anchored',
    { ...whole, observations: [rolledBack] },
    ['rolledBackButOnLedger'],
  ],
  [
    'a proof answered as rolled back before it was',
    { ...undone, observations: [{ ...rolledBack, answeredAt: 11_999 }] },
    ['rolledBackButOnLedger'],
  ],
  [
    'an existing proof that is answered with another transaction',
    {
      ...whole,
      observations: [created, { ...repeated, proof: { ...repeated.proof, txHash: 'B' } }],
    },
    ['lost', 'contradiction'],
  ],
  [
    'a proof answered as created to two callers',
    { ...whole, observations: [created, created] },
    ['contradiction'],
  ],
  [
    'a new proof answered as an existing one',
    { ...whole, observations: [{ ...created, alreadyProven: true }] },
    ['contradiction'],
  ],
  [
    'an existing proof not answered as such',
    { ...whole, observations: [{ ...repeated, alreadyProven: false }] },
    ['contradiction'],
  ],
  [
    'a fault of the service',
    { ...whole, observations: [{ ...created, status: 500, code: 'INTERNAL_ERROR', proof: null }] },
    ['unexpectedAnswer'],
  ],
];

for (const [name, evidence, expected] of broken) {
  test(`an audit finds ${name}`, async (t) => {
    t.strictSame(kinds(evidence), expected);
  });
}
