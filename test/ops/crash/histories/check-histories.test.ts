import { test } from 'tap';
import type { Anomaly } from '../../../../ops/crash/histories/anomaly.ts';
import { checkHistories } from '../../../../ops/crash/histories/check-histories.ts';
import type { ProofFact } from '../../../../ops/crash/histories/proof-fact.ts';
import type {
  ClientAnswer,
  ClientRequest,
  ListRequest,
  RecordedCall,
  ShownProof,
} from '../../../../ops/crash/histories/recorded-call.ts';

const organisationId = 'O';
const workspace = 'W';

/** The log: proofs A and B of organisation O and X of another; A is anchored, B is withdrawn. */
const facts: readonly ProofFact[] = [
  requested(1, 1_000, 'A', 'Invoice b1'),
  { position: 2, at: 2_000, organisationId, proofId: 'A', type: 'prepared', txHash: 'TA' },
  { ...requested(3, 3_000, 'X', 'invoice of another'), organisationId: 'P' },
  requested(4, 4_000, 'B', 'Invoice b2'),
  {
    ...{ position: 5, at: 5_000, organisationId, proofId: 'A', type: 'anchored', txHash: 'TA' },
    ...{ ledgerIndex: 7, timestamp: 'T7' },
  },
  { position: 6, at: 6_000, type: 'attested', ledgerIndex: 7 },
  requested(7, 7_000, 'C', 'report b2'),
  { position: 8, at: 8_000, organisationId, proofId: 'B', type: 'withdrawn' },
];

function requested(
  position: number,
  at: number,
  proofId: string,
  fileName: string,
): Extract<ProofFact, { type: 'requested' }> {
  const of = { position, at, organisationId, proofId, type: 'requested' } as const;
  const file = { workspace, fileHash: `hash ${proofId}`, fileName, description: null };
  return { ...of, ...file, hashScheme: 'plain', commitment: null, requestedAt: `at ${at}` };
}

const everything: ListRequest = {
  ...{ kind: 'list', page: 1, limit: 10, workspace: null, status: null, search: null, walk: null },
};
const open = { blockchainStatus: 'pending', txHash: null, ledgerIndex: null, timestamp: null };
const pendingA = { proofId: 'A', fileName: 'Invoice b1', workspace, ...open };
const sentA = { ...pendingA, blockchainStatus: 'processing', txHash: 'TA' };
const doneA = { ...sentA, blockchainStatus: 'completed', ledgerIndex: 7, timestamp: 'T7' };
const pendingB = { ...pendingA, proofId: 'B', fileName: 'Invoice b2' };
const pendingC = { ...pendingA, proofId: 'C', fileName: 'report b2' };

let calls = 0;

/** A call of this length that ended at `answeredAt`. */
function call(
  answeredAt: number,
  request: ClientRequest,
  answer: ClientAnswer,
  { session = 'client 1', ms = 10 } = {},
): RecordedCall {
  calls += 1;
  const times = { invokedAt: answeredAt - ms, answeredAt };
  return { id: calls, session, organisationId, ...times, request, answer };
}

function page(items: readonly ShownProof[], total = items.length): ClientAnswer {
  return { kind: 'page', items, total };
}

function kindsOf(history: readonly RecordedCall[]): readonly Anomaly['kind'][] {
  return checkHistories(history, facts).map(({ kind }) => kind);
}

const get = (proofId: string): ClientRequest => ({ kind: 'get', proofId });
const shown = (proof: ShownProof): ClientAnswer => ({ kind: 'proof', status: 200, proof });
const refused = (code: string, status: number): ClientAnswer => {
  return { kind: 'refused', status, code, proofId: null };
};
const postA: ClientRequest = { kind: 'post', workspace, hash: 'hash A' };
const accepted = (proof: ShownProof): ClientAnswer => ({ kind: 'proof', status: 202, proof });

/** Answers that clients may see, in this order; the answer of `postOfB` proves that B is on record. */
const seenA = call(1_500, everything, page([pendingA]));
const postOfB = call(
  4_500,
  { kind: 'post', workspace, hash: 'hash B' },
  accepted({ proofId: 'B', ...open }),
);
const both = call(4_600, everything, page([pendingB, sentA]));
const completed = call(5_500, get('A'), shown({ ...doneA, evidence: 'pending' }));
const attested = call(6_500, get('A'), shown({ ...doneA, evidence: 'attested' }));
const rolledBack = call(
  8_500,
  { kind: 'post', workspace, hash: 'hash B' },
  refused('XRPL_ERROR', 502),
  { ms: 1_000 },
);
const atLast = call(8_600, everything, page([pendingC, doneA]));
const right = [seenA, postOfB, both, completed, attested, rolledBack, atLast];

test('answers that follow the log are no anomalies', (t) => {
  t.strictSame(checkHistories(right, facts), []);
  t.end();
});

test('a call that overlaps a change may see it or not', (t) => {
  const long = { ms: 3_000 };
  t.strictSame(kindsOf([call(5_500, everything, page([pendingA]), long)]), []);
  t.strictSame(kindsOf([call(5_500, everything, page([pendingB, doneA]), long)]), []);
  t.end();
});

test('a failed call promises nothing', (t) => {
  const lost = call(4_500, postA, { kind: 'nothing' });
  t.strictSame(kindsOf([...right, lost]), []);
  t.end();
});

const faults: Readonly<Partial<Record<Anomaly['kind'], readonly RecordedCall[]>>> = {
  ownWriteMissing: [postOfB, call(4_700, everything, page([sentA]))],
  wentBack: [both, call(4_700, everything, page([sentA]))],
  stale: [both, call(4_700, everything, page([sentA]), { session: 'client 2' })],
  stateWentBack: [completed, call(5_700, get('A'), shown(sentA))],
  ahead: [call(3_500, everything, page([pendingB, sentA]))],
  phantom: [call(4_700, everything, page([{ ...pendingB, proofId: 'N' }, sentA]))],
  lostTimeline: [
    call(1_200, { ...postA, hash: 'hash N' }, accepted({ proofId: 'N', ...open })),
    call(4_700, everything, page([{ ...pendingB, proofId: 'N' }, sentA])),
  ].slice(0),
  foreignItem: [call(4_700, everything, page([{ ...pendingB, proofId: 'X' }, sentA]))],
  duplicate: [call(4_700, everything, page([pendingB, pendingB]))],
  lostItem: [both, call(8_700, everything, page([pendingC]))],
  searchMissed: [both, call(4_700, { ...everything, search: 'INVOICE' }, page([pendingB]))],
  falseHit: [both, call(4_700, { ...everything, search: 'b1' }, page([pendingB, sentA]))],
  wrongField: [both, call(4_700, everything, page([{ ...pendingB, fileName: 'other' }, sentA]))],
  wrongTotal: [both, call(4_700, everything, page([pendingB, sentA], 3))],
  wrongOrder: [both, call(4_700, everything, page([sentA, pendingB]))],
  noMoment: [
    // B was withdrawn after C was requested, so no moment has A alone and completed.
    call(8_700, everything, page([doneA]), { ms: 7_000 }),
  ],
  evidenceWentBack: [attested, call(6_700, get('A'), shown({ ...doneA, evidence: 'pending' }))],
  unexpectedAnswer: [call(4_700, everything, refused('INTERNAL_ERROR', 500))],
};

for (const [kind, history] of Object.entries(faults)) {
  test(`finds ${kind}`, (t) => {
    const found = kindsOf(history);
    t.equal(found.at(-1), kind);
    // The confirmation of a proof that the log lost is an anomaly by itself.
    t.equal(found.length, kind === 'lostTimeline' ? 2 : 1);
    t.end();
  });
}

test('a proof shown twice on two pages of one walk is a duplicate', (t) => {
  const walk = { ...everything, limit: 1, walk: 'walk 1' };
  const first = call(4_600, walk, page([pendingB], 2));
  const second = call(4_700, { ...walk, page: 2 }, page([pendingB], 2));
  t.strictSame(kindsOf([first, second]), ['duplicate']);
  t.strictSame(kindsOf([first, call(4_700, { ...walk, page: 2 }, page([sentA], 2))]), []);
  t.end();
});

test('a rolled back post whose proof is on record is found', (t) => {
  t.equal(kindsOf([both, call(5_500, postA, refused('XRPL_ERROR', 502))]).length, 1);
  t.end();
});

test('an anomaly does not hide or cause others', (t) => {
  const wrong = call(4_550, everything, page([{ ...pendingB, fileName: 'other' }, sentA]));
  const missing = call(8_700, everything, page([pendingC]));
  t.strictSame(kindsOf([...right, wrong, missing]), ['wrongField', 'lostItem']);
  t.end();
});
