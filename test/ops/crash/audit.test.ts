import { test } from 'tap';
import { audit, type Evidence } from '../../../ops/crash/audit.ts';

/** Begins with an even byte: it is anchored as it is. */
const hash = '00'.repeat(32);
const onLedger = {
  txHash: 'A',
  ledgerIndex: 7,
  fileHash: hash,
  hashScheme: 'sha256-plain-v1',
  result: 'tesSUCCESS',
};
const anchoredProof = {
  proofId: 'P',
  fileHash: hash,
  commitment: hash,
  requestedAt: 10_000,
  prepared: ['A'],
  anchored: [{ txHash: 'A', ledgerIndex: 7 }],
  withdrawnAt: null,
};
const withdrawnProof = { ...anchoredProof, anchored: [], withdrawnAt: 12_000 };
const created = {
  hash,
  postedAt: 10_000,
  answeredAt: 13_000,
  status: 201,
  code: null,
  proof: { proofId: 'P', txHash: 'A', proofCommitment: null, proofNonce: null },
};
const rolledBack = { ...created, status: 502, code: 'XRPL_ERROR', proof: null };
const whole: Evidence = {
  observations: [created],
  logged: [anchoredProof],
  onLedger: [onLedger],
};

function kinds(evidence: Partial<Evidence>): readonly string[] {
  return audit({ ...whole, ...evidence }).map(({ kind }) => kind);
}

test('an audit finds nothing where callers, log and ledger agree', async (t) => {
  t.strictSame(kinds({}), []);
  t.strictSame(
    kinds({ observations: [rolledBack], logged: [withdrawnProof], onLedger: [] }),
    [],
    'nor in a proof that was rolled back',
  );
});

const broken: readonly (readonly [string, Partial<Evidence>, readonly string[]])[] = [
  ['a proof that a caller was promised and nobody knows', { logged: [], onLedger: [] }, ['lost']],
  [
    'a completed proof that the ledger does not have',
    { onLedger: [] },
    ['completedButNotOnLedger', 'lost'],
  ],
  [
    'a completed proof that failed on the ledger',
    { onLedger: [{ ...onLedger, result: 'tecPATH_DRY' }] },
    ['completedButNotOnLedger', 'lost'],
  ],
  [
    'a transaction that the log does not know to be anchored',
    { observations: [], logged: [] },
    ['lost'],
  ],
  [
    'a commitment that is on the ledger twice',
    {
      logged: [{ ...anchoredProof, prepared: ['A', 'B'] }],
      onLedger: [onLedger, { ...onLedger, txHash: 'B' }],
    },
    ['lost', 'doubleAnchored', 'doubleAnchored'],
  ],
  [
    'two proofs of one hash',
    {
      logged: [
        anchoredProof,
        { ...anchoredProof, proofId: 'Q', commitment: 'q', prepared: ['B'], anchored: [] },
      ],
    },
    ['unsettled', 'doubleAnchored'],
  ],
  [
    'a proof that was rolled back and is on the ledger',
    { observations: [rolledBack], logged: [withdrawnProof] },
    ['lost', 'rolledBackButOnLedger'],
  ],
  [
    'a proof that its caller was told is rolled back and is not',
    { observations: [rolledBack] },
    ['rolledBackButOnLedger'],
  ],
  [
    'a fault of the service',
    { observations: [{ ...created, status: 500, code: 'INTERNAL_ERROR', proof: null }] },
    ['unexpectedAnswer'],
  ],
];

for (const [name, evidence, expected] of broken) {
  test(`an audit finds ${name}`, async (t) => {
    t.strictSame(kinds(evidence), expected);
  });
}
