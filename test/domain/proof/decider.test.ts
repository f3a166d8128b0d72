import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { test } from 'tap';
import { accountEvents } from '../../../src/domain/account/events.ts';
import type { BlobKey } from '../../../src/domain/blob/blob-key.ts';
import { logEvents } from '../../../src/domain/log/events.ts';
import { type ProofDecision, proofDecider } from '../../../src/domain/proof/decider.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import {
  type AnchorExpired,
  type Anchored,
  type AnchorPrepared,
  type CertificateIssued,
  type ProofEvent,
  type ProofRequested,
  proofEvents,
} from '../../../src/domain/proof/events.ts';
import { isVisible, type ProofState } from '../../../src/domain/proof/state.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { fold } from '../../support/fold.ts';

const proofId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ProofId;
const nonce = 'ab'.repeat(32);
const fileHash = '0f'.repeat(32) as Digest;
const request: Omit<ProofRequested['data'], 'commitment' | 'recordsDelivery'> = {
  proofId,
  organisationId: '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId,
  workspaceId: '01BX5ZZKBKACTAV9WEVGEMMVS0' as WorkspaceId,
  network: 'testnet',
  hashScheme: 'hmac-sha256-nonce-v3',
  fileHash,
  nonce,
  fileName: 'contract.pdf',
  fileSizeBytes: 12,
  mimeType: null,
  description: null,
  metadata: null,
  document: null,
};
const commitment = createHmac('sha256', Buffer.from(nonce, 'hex'))
  .update(Buffer.from(fileHash, 'hex'))
  .digest('hex');
const first = 'A1'.repeat(32);
const second = 'B2'.repeat(32);
const preparation = (transactionHash: string): AnchorPrepared['data'] => ({
  ledgerId: '1-AA',
  transactionHash,
  blob: '12',
  hashScheme: request.hashScheme,
  previousTransactionHash: null,
  account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  sequence: 7,
  feeDrops: 10,
  minLedger: 100,
  lastLedgerSequence: 108,
  replaces: null,
});
const validation = (transactionHash: string): Anchored['data'] => ({
  ledgerId: '1-AA',
  transactionHash,
  ledgerIndex: 103,
  ledgerHash: 'CC'.repeat(32),
  closeTime: 800_000_000,
  closeTimeIso: '2025-05-08T06:13:20Z',
  transactionIndex: 0,
  metadata: '34',
  ledgerHeader: '56',
});
const expiry = (
  transactionHash: string,
  reason: AnchorExpired['data']['reason'] = 'absent',
): AnchorExpired['data'] => ({ transactionHash, reason, engineResult: null });

const requested: ProofEvent = {
  type: 'ProofRequested',
  data: { ...request, commitment, recordsDelivery: true },
};
const queued: ProofEvent = { type: 'ProofQueued', data: { reason: 'waitEnded' } };
const prepared = (hash = first): ProofEvent => ({
  type: 'AnchorPrepared',
  data: preparation(hash),
});
const anchored: ProofEvent = { type: 'Anchored', data: validation(first) };
const expired = (reason: AnchorExpired['data']['reason'] = 'absent'): ProofEvent => ({
  type: 'AnchorExpired',
  data: expiry(first, reason),
});
const withdrawn: ProofEvent = { type: 'ProofWithdrawn', data: { reason: 'waitEnded' } };
const refused: ProofEvent = { type: 'AnchorRefused', data: { reason: 'givenUp' } };
const certificate: CertificateIssued['data'] = {
  ...{ description: null, classification: null, verifier: null, pdfSignature: null },
  ...{ templateVersion: 1, issuedAt: '2025-05-08T07:00:00.000Z', logSize: 12, logInclusion: null },
  ...{ fileName: 'contract.pdf', fileSizeBytes: 12, mimeType: null, revision: null },
  ...{ organisationName: 'Ö', workspaceName: 'W', standalone: false },
  ...{
    verifyUrl: 'https://a',
    verifyPageUrl: 'https://d',
    publicApiUrl: 'https://b',
    explorerUrl: 'https://c',
  },
  blobKey: `${request.organisationId}/01BX5ZZKBKACTAV9WEVGEMMVS1` as BlobKey,
  ...{ sizeBytes: 60_000, pdfDigest: 'ab'.repeat(32) as Digest },
  bundleDigest: 'cd'.repeat(32) as Digest,
  ...{ ledger: { ledgerId: '0', ledgerIndex: 7 }, attestation: null, timestamp: null },
  ...{ issuerKey: null, issuerSignature: null },
};
const certified: ProofEvent = { type: 'CertificateIssued', data: certificate };
const released = { type: 'HashReleased', data: { proofId } };
const nothing: ProofDecision = { proof: [], hash: [] };

const given = (...events: readonly ProofEvent[]) => fold(proofDecider, events);

test('a request commits to the hash under the nonce, and claims the hash', async (t) => {
  t.strictSame(proofDecider.request(request, null), {
    proof: [requested],
    hash: [{ type: 'HashClaimed', data: { proofId } }],
  });
  t.match(proofDecider.request({ ...request, hashScheme: 'hmac-sha256-nonce-v2' }, null), {
    proof: [{ data: { commitment, nonce } }],
  });
});

test('a plain request has neither nonce nor commitment', async (t) => {
  t.match(proofDecider.request({ ...request, hashScheme: 'sha256-plain-v1' }, null), {
    proof: [{ data: { commitment: null, nonce: null, fileHash } }],
  });
});

test('a request without a wait is queued at once', async (t) => {
  const { proof } = proofDecider.request(request, 'respondAsync');
  t.strictSame(proof, [requested, { type: 'ProofQueued', data: { reason: 'respondAsync' } }]);
  t.match(given(...proof), { status: 'pending', queued: true, failures: 0 });
});

test('when the wait ends', async (t) => {
  const rollback = { proof: [withdrawn], hash: [released] };
  t.strictSame(proofDecider.endWait(given(requested)), rollback, 'unsigned: rolled back');
  const queue = { proof: [queued], hash: [] };
  t.strictSame(proofDecider.endWait(given(requested, prepared())), queue, 'signed: queued');
  for (const settled of [
    [requested, queued],
    [requested, queued, prepared()],
    [requested, prepared(), anchored],
    [requested, withdrawn],
    [requested, queued, refused],
    [],
  ]) {
    const state = given(...settled);
    t.strictSame(proofDecider.endWait(state), nothing, `${state.status}: nothing happens`);
  }
});

test('a proof is queued once, and only while it is open', async (t) => {
  t.match(proofDecider.queue(given(requested), 'respondAsync'), {
    proof: [{ type: 'ProofQueued' }],
  });
  t.strictSame(proofDecider.queue(given(requested, queued), 'respondAsync'), nothing);
  t.strictSame(proofDecider.queue(given(requested, prepared(), anchored), 'respondAsync'), nothing);
});

test('records a transaction only for a pending proof', async (t) => {
  const when = (state: ProofState) => proofDecider.prepareAnchor(state, preparation(first));
  t.strictSame(when(given(requested)), { proof: [prepared()], hash: [] });
  t.strictSame(when(given(requested, queued, prepared(), expired())), {
    proof: [prepared()],
    hash: [],
  });
  t.strictSame(
    when(given(requested, prepared(second))),
    nothing,
    'no second transaction at the same time',
  );
  t.strictSame(
    when(given(requested, prepared(second), { ...anchored, data: validation(second) })),
    nothing,
  );
  t.strictSame(when(given(requested, withdrawn)), nothing);
  t.strictSame(when(proofDecider.initial), nothing);
});

test('records as anchored only the transaction under way', async (t) => {
  const when = (state: ProofState, hash: string) =>
    proofDecider.recordAnchor(state, validation(hash));
  t.strictSame(when(given(requested, prepared()), first), { proof: [anchored], hash: [] });
  t.strictSame(when(given(requested, prepared()), second), nothing);
  t.strictSame(when(given(requested, prepared(), anchored), first), nothing, 'reported twice');
  t.strictSame(when(given(requested), first), nothing);
});

const third = 'D4'.repeat(32);
const replacement = (transactionHash: string, replaces: string, feeDrops: number) => {
  return { ...preparation(transactionHash), replaces, feeDrops, minLedger: 101 };
};
const replaced = (...terms: Parameters<typeof replacement>): ProofEvent => {
  return { type: 'AnchorPrepared', data: replacement(...terms) };
};

test('a transaction is replaced only by one with its Sequence and last ledger, and a higher fee', async (t) => {
  const state = given(requested, prepared());
  const next = replacement(second, first, 100);
  t.strictSame(proofDecider.prepareAnchor(state, next).proof, [replaced(second, first, 100)]);
  for (const [words, other] of Object.entries({
    'another Sequence': { sequence: 8 },
    'another account': { account: 'rA' },
    'another ledger': { ledgerId: '1-BB' },
    'a longer life': { lastLedgerSequence: 109 },
    'the same fee': { feeDrops: 10 },
    'no transaction named': { replaces: null },
    'an unknown transaction': { replaces: third },
  })) {
    const { proof } = proofDecider.prepareAnchor(state, { ...next, ...other });
    t.strictSame(proof, [], words);
    const event: ProofEvent = { type: 'AnchorPrepared', data: { ...next, ...other } };
    t.throws(() => given(requested, prepared(), event), /cannot follow/, words);
  }
  const done = given(requested, prepared(), anchored);
  t.strictSame(proofDecider.prepareAnchor(done, next), nothing);
});

test('whichever of the transactions with one Sequence is on the ledger anchors the proof', async (t) => {
  const history = [
    requested,
    prepared(),
    replaced(second, first, 100),
    replaced(third, second, 200),
  ];
  const state = given(...history);
  t.match(state, { status: 'processing', prepared: { transactionHash: third } });
  for (const hash of [first, second, third]) {
    const { proof } = proofDecider.recordAnchor(state, validation(hash));
    t.strictSame(proof, [{ type: 'Anchored', data: validation(hash) }]);
    t.match(given(...history, ...proof), {
      status: 'completed',
      prepared: { transactionHash: hash },
    });
    const tec = { transactionHash: hash, reason: 'failed', engineResult: 'tecX' } as const;
    t.match(proofDecider.recordExpiry(state, tec).proof[0], { type: 'AnchorExpired', data: tec });
  }
  t.strictSame(proofDecider.recordAnchor(state, validation('E5'.repeat(32))), nothing);
});

test('only the absence of the newest transaction is the absence of all', async (t) => {
  const state = given(requested, queued, prepared(), replaced(second, first, 100));
  for (const reason of ['absent', 'ledgerGone'] as const) {
    t.strictSame(proofDecider.recordExpiry(state, expiry(first, reason)), nothing, reason);
    const { proof } = proofDecider.recordExpiry(state, expiry(second, reason));
    t.strictSame(proof, [{ type: 'AnchorExpired', data: expiry(second, reason) }]);
  }
  const expired = given(requested, queued, prepared(), replaced(second, first, 100), {
    type: 'AnchorExpired',
    data: expiry(second),
  });
  t.match(expired, { status: 'pending', failures: 1 });
  t.notOk('replaced' in expired);
});

test('a replacement unknown to a restored log is recorded as such', async (t) => {
  const state = given(requested, prepared());
  const unknown = { ...replacement(second, first, 100), replaces: null };
  t.strictSame(proofDecider.recoverAnchor(state, unknown, validation(second)).proof, [
    { type: 'AnchorPrepared', data: { ...unknown, replaces: first } },
    { type: 'Anchored', data: validation(second) },
  ]);
  const both = given(requested, prepared(), replaced(second, first, 100));
  const { proof } = proofDecider.recoverAnchor(both, preparation(first), validation(first));
  t.strictSame(proof, [{ type: 'Anchored', data: validation(first) }]);
});

test('a certificate of every earlier schema has all fields of the present one', async (t) => {
  const { upcasts = {}, schema } = proofEvents.CertificateIssued;
  const added: readonly (readonly string[])[] = [
    ['logInclusion'],
    ['verifyPageUrl'],
    ['ledger', 'attestation'],
    ['timestamp'],
    ['issuerKey', 'issuerSignature'],
    ['description', 'classification', 'verifier', 'pdfSignature'],
  ];
  t.equal(schema, added.length + 1);
  for (let from = 1; from < schema; from += 1) {
    const names = added.slice(from - 1).flat();
    const old = Object.entries(certificate).filter(([name]) => !names.includes(name));
    let data: Record<string, unknown> = Object.fromEntries(old);
    for (let at = from; at < schema; at += 1) data = upcasts[at]?.(data) ?? {};
    t.strictSame(new Set(Object.keys(data)), new Set(Object.keys(certificate)), `schema ${from}`);
    for (const name of names) t.equal(data[name], null, `${name} since schema ${from}`);
  }
});

test('a transaction of an earlier schema replaces none', async (t) => {
  const { upcasts } = proofEvents.AnchorPrepared;
  const { replaces: _, previousTransactionHash: __, ...oldest } = preparation(first);
  const upgraded = upcasts?.[2]?.(upcasts?.[1]?.(oldest) ?? {});
  t.strictSame(upgraded, preparation(first));
  t.strictSame(accountEvents.GapFillPrepared.upcasts?.[1]?.(oldest), { ...oldest, replaces: null });
  t.strictSame(logEvents.CheckpointPrepared.upcasts?.[1]?.(oldest), { ...oldest, replaces: null });
});

test('an expiry rolls an unqueued proof back, and leaves a queued one to be tried again', async (t) => {
  for (const [reason, withdrawnFor] of [
    ['absent', 'expired'],
    ['failed', 'failed'],
    ['ledgerGone', 'ledgerGone'],
  ] as const) {
    t.strictSame(proofDecider.recordExpiry(given(requested, prepared()), expiry(first, reason)), {
      proof: [expired(reason), { type: 'ProofWithdrawn', data: { reason: withdrawnFor } }],
      hash: [released],
    });
    t.strictSame(
      proofDecider.recordExpiry(given(requested, queued, prepared()), expiry(first, reason)),
      {
        proof: [expired(reason)],
        hash: [],
      },
    );
  }
  t.strictSame(proofDecider.recordExpiry(given(requested, prepared()), expiry(second)), nothing);
  t.strictSame(
    proofDecider.recordExpiry(given(requested, prepared(), anchored), expiry(first)),
    nothing,
  );
});

test('a proof is visible until it is rolled back or given up', async (t) => {
  t.ok(isVisible(given(requested)));
  t.ok(isVisible(given(requested, prepared())));
  t.ok(isVisible(given(requested, prepared(), anchored)));
  t.notOk(isVisible(given(requested, withdrawn)));
  t.notOk(isVisible(given(requested, queued, refused)));
  t.notOk(isVisible(proofDecider.initial));
});

test('any sequence of commands gives events that fold, and one outcome', async (t) => {
  const orders = fc.constantFrom<(state: ProofState, hash: string) => ProofDecision>(
    (state) => proofDecider.queue(state, 'respondAsync'),
    proofDecider.endWait,
    (state, hash) => proofDecider.prepareAnchor(state, preparation(hash)),
    (state, hash) => proofDecider.recordAnchor(state, validation(hash)),
    (state, hash) => proofDecider.recordExpiry(state, expiry(hash)),
  );
  const steps = fc.array(fc.tuple(orders, fc.constantFrom(first, second)), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (plan) => {
      const history: ProofEvent[] = [requested];
      let claims = 1;
      for (const [order, hash] of plan) {
        const decision = order(given(...history), hash);
        history.push(...decision.proof);
        claims -= decision.hash.length;
      }
      const state = given(...history);
      const count = (type: ProofEvent['type']) => history.filter((e) => e.type === type).length;
      return (
        count('Anchored') + count('ProofWithdrawn') <= 1 &&
        count('ProofQueued') <= 1 &&
        // The hash is free exactly if the proof was rolled back.
        claims === (state.status === 'withdrawn' ? 0 : 1) &&
        // A queued proof is never rolled back.
        !(count('ProofQueued') === 1 && state.status === 'withdrawn')
      );
    }),
    { numRuns: 1_000 },
  );
  t.pass();
});

test('issues a certificate for a completed proof, once', async (t) => {
  const completed = given(requested, prepared(), anchored);
  t.strictSame(proofDecider.certify(completed, certificate), { proof: [certified], hash: [] });
  const again = { ...certificate, organisationName: 'renamed' };
  const state = given(requested, prepared(), anchored, certified);
  t.strictSame(proofDecider.certify(state, again), nothing);
  t.match(state, { status: 'completed', certificate });
});

test('refuses a certificate for any other proof', async (t) => {
  const others = [
    given(requested),
    given(requested, queued, prepared()),
    given(requested, withdrawn),
    given(requested, queued, refused),
  ];
  for (const state of others) {
    t.throws(() => proofDecider.certify(state, certificate), { code: 'PROOF_NOT_ANCHORED' });
  }
});

test('a transaction unknown to a restored log is recorded with its proof', async (t) => {
  const found = { ...preparation(second), blob: '34' };
  const { data: anchor } = { data: validation(second) };
  const both = [
    { type: 'AnchorPrepared', data: found },
    { type: 'Anchored', data: anchor },
  ];
  const recover = (...events: readonly ProofEvent[]) =>
    proofDecider.recoverAnchor(given(...events), found, anchor);
  t.strictSame(recover(requested), { proof: both, hash: [] }, 'the proof is not rolled back');
  t.strictSame(recover(requested, prepared()).proof, [
    {
      type: 'AnchorExpired',
      data: { transactionHash: first, reason: 'absent', engineResult: null },
    },
    ...both,
  ]);
  const failed = { transactionHash: first, engineResult: 'tecX' };
  const state = given(requested, prepared());
  t.strictSame(proofDecider.recoverAnchor(state, found, anchor, failed).proof, [
    { type: 'AnchorExpired', data: { ...failed, reason: 'failed' } },
    ...both,
  ]);
  t.strictSame(recover(requested, { type: 'AnchorPrepared', data: found }).proof, [both[1]]);
  t.strictSame(recover(requested, prepared(), anchored), nothing, 'the proof is anchored already');
});

test('a proof that had been given up is so again in a restored log', async (t) => {
  const { proof } = proofDecider.giveUp(given(requested, queued));
  const recover = (...events: readonly ProofEvent[]) =>
    proofDecider.recoverGivingUp(given(...events), null).proof;
  t.strictSame(recover(requested, queued), proof);
  t.strictSame(recover(requested, queued, prepared()), [
    {
      type: 'AnchorExpired',
      data: { transactionHash: first, reason: 'absent', engineResult: null },
    },
    ...proof,
  ]);
  const failed = { transactionHash: first, engineResult: 'tecX' };
  t.match(proofDecider.recoverGivingUp(given(requested, queued, prepared()), failed).proof, [
    { type: 'AnchorExpired', data: { ...failed, reason: 'failed' } },
    ...proof,
  ]);
  t.throws(() => recover(requested, prepared()), { code: 'INVALID_REQUEST' }, 'it was not queued');
});

test('a request of an earlier schema does not record the delivery of its nonce', async (t) => {
  const { upcasts } = proofEvents.ProofRequested;
  t.match(upcasts?.[2]?.({ proofId, nonce }), { proofId, nonce, recordsDelivery: false });
  t.match(proofDecider.request(request, null).proof, [{ data: { recordsDelivery: true } }]);
  const plain = { ...request, hashScheme: 'sha256-plain-v1' } as const;
  t.match(proofDecider.request(plain, null).proof, [{ data: { recordsDelivery: false } }]);
});
