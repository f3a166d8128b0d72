import { test } from 'tap';
import { anchors } from '../../projections/anchors/project.ts';
import {
  findAnchor,
  isAnchoringAccount,
  listAnchoringAccounts,
} from '../../projections/anchors/query.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { Network } from '../../src/domain/network.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, type TestStore, testDeps } from '../support/event-store.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const hash = (n: number) => n.toString(16).toUpperCase().padStart(64, '0');
const versions = new WeakMap<object, Map<string, number>>();

async function append({ store }: TestStore, stream: string, ...events: DomainEvent[]) {
  const known = versions.get(store) ?? new Map<string, number>();
  versions.set(store, known);
  const expectedVersion = known.get(stream) ?? 0;
  known.set(stream, expectedVersion + events.length);
  const owner = stream.startsWith('proof-') ? organisationId : null;
  await store.append([{ organisationId: owner, stream, expectedVersion, events }], {});
}

const joined = (ledgerId: string, network: Network, standalone = false): DomainEvent => ({
  type: 'LedgerJoined',
  data: { ledgerId, network, networkId: 1, standalone, index: 1, hash: 'AA', closeTime: 1 },
});
const taken = (ledgerId: string, account: string): DomainEvent => ({
  type: 'SequencesTaken',
  data: { ledgerId, account, taken: [] },
});
const anchored = (ledgerId: string, transactionHash: string): DomainEvent => ({
  type: 'Anchored',
  data: {
    ...{ ledgerId, transactionHash, ledgerIndex: 7, ledgerHash: 'BB', closeTime: 1 },
    ...{
      closeTimeIso: '2000-01-01T00:00:01Z',
      transactionIndex: 0,
      metadata: '',
      ledgerHeader: '',
    },
  },
});
const prepared = (ledgerId: string, transactionHash: string): DomainEvent => ({
  type: 'AnchorPrepared',
  data: {
    ...{ ledgerId, transactionHash, blob: '12', hashScheme: 'hmac-sha256-nonce-v3' as const },
    ...{
      account: 'rA',
      sequence: 1,
      feeDrops: 10,
      minLedger: 1,
      lastLedgerSequence: 9,
      replaces: null,
    },
    previousTransactionHash: null,
  },
});
const proof = (proofId: string) => streams.proof(proofId as ProofId);

async function settled(test: TestStore) {
  const { db, store } = test;
  await prepareProjection(db, anchors);
  await catchUp({ db, store, projections: [anchors], position: await store.head() });
}

test('an anchored transaction finds its proof and ledger, an expired one does not', async (t) => {
  const db = await createTestStore(t);
  await append(db, 'ledger-main', joined('main', 'mainnet'));
  await append(db, 'ledger-dev', joined('dev', 'testnet', true));
  await append(db, proof('P1'), prepared('main', hash(1)), anchored('main', hash(1)));
  await append(db, proof('P2'), prepared('dev', hash(2)));
  await append(db, proof('P2'), {
    type: 'AnchorExpired',
    data: { transactionHash: hash(2), reason: 'absent', engineResult: null },
  });
  await append(db, proof('P2'), prepared('dev', hash(3)), anchored('dev', hash(3)));
  await settled(db);
  t.strictSame(await findAnchor(db.db, hash(1)), {
    proofId: 'P1',
    organisationId,
    ledgerId: 'main',
    network: 'mainnet',
    standalone: false,
    ledgerGone: false,
  });
  t.equal(await findAnchor(db.db, hash(2)), null, 'expired');
  t.match(await findAnchor(db.db, hash(3).toLowerCase()), { proofId: 'P2', standalone: true });
  t.equal(await findAnchor(db.db, hash(4)), null);
  await append(db, 'ledger-dev', { type: 'LedgerGone', data: { ledgerId: 'dev' } });
  await settled(db);
  t.match(await findAnchor(db.db, hash(3)), { ledgerGone: true });
});

test('lists every account ever used for anchoring, per network, including retired ones', async (t) => {
  const db = await createTestStore(t);
  await append(db, 'ledger-main', joined('main', 'mainnet'));
  for (const ledger of ['one', 'two'])
    await append(db, `ledger-${ledger}`, joined(ledger, 'testnet'));
  await append(db, 'account-main-rA', taken('main', 'rA'), taken('main', 'rA'));
  await append(db, 'account-one-rA', taken('one', 'rA'));
  await append(db, 'account-one-rB', taken('one', 'rB'));
  await append(db, 'account-two-rB', taken('two', 'rB'));
  await settled(db);
  const retire = (ledgerId: string, account: string): DomainEvent => ({
    type: 'AccountRetired',
    data: { ledgerId, account },
  });
  await append(db, 'account-main-rA', taken('main', 'rA'), retire('main', 'rA'));
  await append(db, 'account-one-rB', retire('one', 'rB'));
  await settled(db);
  t.strictSame(await listAnchoringAccounts(db.db), [
    { network: 'mainnet', standalone: false, address: 'rA', retired: true },
    { network: 'testnet', standalone: false, address: 'rA', retired: false },
    { network: 'testnet', standalone: false, address: 'rB', retired: false },
  ]);
  t.ok(await isAnchoringAccount(db.db, 'mainnet', 'rA'));
  t.ok(await isAnchoringAccount(db.db, 'testnet', 'rB'));
  t.notOk(await isAnchoringAccount(db.db, 'mainnet', 'rB'));
  t.notOk(await isAnchoringAccount(db.db, 'testnet', 'ra'));
});

test('folds thousands of proofs in few statements', async (t) => {
  const db = await createTestStore(t);
  await append(db, 'ledger-main', joined('main', 'mainnet'));
  const count = 3_000;
  await db.store.append(
    Array.from({ length: count }, (_, n) => ({
      organisationId,
      stream: proof(testDeps.newId()),
      expectedVersion: 0,
      events: [anchored('main', hash(n + 1))],
    })),
    {},
  );
  await prepareProjection(db.db, anchors);
  let statements = 0;
  const logged = db.pool.on('acquire', () => {
    statements += 1;
  });
  const begun = performance.now();
  await settled(db);
  t.comment(`${Math.round((count / (performance.now() - begun)) * 1_000)} anchors/s`);
  logged.removeAllListeners('acquire');
  t.ok(statements < 60, `${statements} connections were used`);
  t.match(await findAnchor(db.db, hash(count)), { network: 'mainnet' });
});
