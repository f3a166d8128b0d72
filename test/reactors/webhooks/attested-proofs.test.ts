import { sql } from 'kysely';
import { test } from 'tap';
import { ulid } from 'ulid';
import type { AttestationEvent } from '../../../src/domain/attestation/events.ts';
import { longestChain } from '../../../src/domain/attestation/is-provable.ts';
import type { DomainEvent } from '../../../src/domain/events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { OrganisationId, ProofId, WebhookId } from '../../../src/domain/ulid.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { AttestedProofs } from '../../../src/reactors/webhooks/attested-proofs.ts';
import { enqueuing } from '../../../src/reactors/webhooks/enqueuing.ts';
import { pruneUnattested } from '../../../src/reactors/webhooks/unattested-proofs.ts';
import { tableName } from '../../../src/subscriptions/projection.ts';
import { runCount } from '../../support/run-count.ts';
import { randomHash } from '../../support/scripted-anchoring.ts';
import { type Random, seededRandom } from '../../support/seed.ts';
import { createUploadSite } from '../../support/uploads.ts';
import { createWebhookSite, type WebhookSite } from '../../support/webhook-site.ts';

/** Writes events as in the log, without commands. Contents that enqueuing does not read are left out. */
async function createHistory(site: WebhookSite) {
  const { store } = site;
  const organisationIds = [
    site.uploads.organisationId,
    (await createUploadSite(store)).organisationId,
  ];
  const versions = new Map<string, number>();
  const begun = await store.head();
  const append = async (
    stream: string,
    organisationId: OrganisationId | null,
    event: { readonly type: DomainEvent['type']; readonly data: object },
  ) => {
    const expectedVersion = versions.get(stream) ?? 0;
    versions.set(stream, expectedVersion + 1);
    const events = [event as DomainEvent];
    await store.append([{ organisationId, stream, expectedVersion, events }], {});
  };
  return {
    organisationIds,
    async anchor(
      organisationId: OrganisationId,
      ledger: Ledger,
      ledgerHash = ledger.ledgerHash,
      proofId = ulid() as ProofId,
    ) {
      const { ledgerId, ledgerIndex } = ledger;
      const data = { ledgerId, ledgerIndex, ledgerHash, transactionHash: randomHash() };
      await append(streams.proof(proofId), organisationId, { type: 'Anchored', data });
      return proofId;
    },
    async certify(organisationId: OrganisationId, proofId: ProofId) {
      await append(streams.proof(proofId), organisationId, { type: 'CertificateIssued', data: {} });
    },
    async attest(ledger: Ledger, headers = 0) {
      const { ledgerId, ledgerIndex } = ledger;
      const stream = streams.attestation(ledgerId, ledgerIndex);
      const linked = { attestedIndex: ledgerIndex + headers };
      const event: { type: AttestationEvent['type']; data: object } =
        headers > 0
          ? { type: 'LedgerLinked', data: { ...ledger, ...linked } }
          : { type: 'LedgerAttested', data: ledger };
      await append(stream, null, event);
    },
    async lose(ledgerId: string) {
      await append(streams.ledger(ledgerId), null, { type: 'LedgerGone', data: { ledgerId } });
    },
    async register(organisationId: OrganisationId) {
      const webhookId = ulid() as WebhookId;
      const kinds = ['proof.attested', 'proof.completed', 'certificate.generated'];
      const data = { webhookId, organisationId, events: kinds, url: '', secret: '' };
      await append(streams.webhook(webhookId), organisationId, { type: 'WebhookRegistered', data });
      return webhookId;
    },
    async happen(
      organisationId: OrganisationId,
      webhookId: WebhookId,
      type: 'WebhookDisabled' | 'WebhookEnabled' | 'WebhookDeleted',
    ) {
      await append(streams.webhook(webhookId), organisationId, { type, data: { webhookId } });
    },
    /** Events that enqueuing folds. */
    async events() {
      const { types } = enqueuing({ store, now: site.clock.now });
      return (await store.readPage(begun, 1_000, types)).events;
    },
  };
}

type History = Awaited<ReturnType<typeof createHistory>>;

interface Ledger {
  readonly ledgerId: string;
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
}

const ledgerAt = (ledgerIndex: number, ledgerId = '1-A'): Ledger => ({
  ...{ ledgerId, ledgerIndex },
  ledgerHash: randomHash(),
});

/** Folds the events page by page into empty tables. Resolves with all rows, without times. */
async function foldedIn(
  { db, pool, store, clock }: WebhookSite,
  pages: readonly (readonly StoredEvent[])[],
  networks?: readonly 'testnet'[],
) {
  for (const table of ['deliveries', 'endpoints', 'unattested_proofs'])
    await sql`DELETE FROM ${sql.table(`webhook_${table}`)}`.execute(db);
  const folder = enqueuing({ store, now: clock.now, ...(networks && { networks }) });
  for (const page of pages)
    await db.transaction().execute((trx) => folder.project(trx, page, tableName(1)));
  const read = async (text: string) => (await pool.query(text)).rows;
  return {
    deliveries: await read(
      `SELECT id, webhook_id, kind, resource_id, position, status
       FROM webhook_deliveries ORDER BY id`,
    ),
    waiting: await read('SELECT proof_id, position FROM webhook_unattested_proofs ORDER BY 1'),
    endpoints: await read('SELECT webhook_id, active FROM webhook_endpoints ORDER BY 1'),
  };
}

/** Appends a random history of ledgers, proofs and endpoints. */
async function happenAtRandom(history: History, random: Random): Promise<void> {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const ledgers = [1, 2, 3, 4].flatMap((index) => [ledgerAt(index), ledgerAt(index, '1-B')]);
  const unattested = new Set(ledgers);
  const endpoints: { organisationId: OrganisationId; webhookId: WebhookId }[] = [];
  const proofs: { organisationId: OrganisationId; proofId: ProofId }[] = [];
  let isLost = false;
  for (let step = 0; step < 120; step += 1) {
    const at = random();
    const organisationId = pick(history.organisationIds);
    const [ledger, open] = [pick(ledgers), pick([...unattested])];
    const [endpoint, proof] = [pick(endpoints), pick(proofs)];
    if (!organisationId || !ledger) throw new Error('nothing to pick');
    if (at < 0.5) {
      const forged = random() < 0.2 ? randomHash() : undefined;
      proofs.push({
        organisationId,
        proofId: await history.anchor(organisationId, ledger, forged),
      });
    } else if (at < 0.58 && open) {
      unattested.delete(open);
      const ledgerHash = random() < 0.2 ? randomHash() : open.ledgerHash;
      await history.attest({ ...open, ledgerHash }, pick([0, 0, 5, longestChain + 1]));
    } else if (at < 0.6 && !isLost) {
      isLost = true;
      await history.lose('1-B');
    } else if (at < 0.75) {
      endpoints.push({ organisationId, webhookId: await history.register(organisationId) });
    } else if (at < 0.95 && endpoint) {
      const types = ['WebhookDisabled', 'WebhookEnabled', 'WebhookDeleted'] as const;
      const type = pick(types) ?? 'WebhookDisabled';
      await history.happen(endpoint.organisationId, endpoint.webhookId, type);
      if (type === 'WebhookDeleted') endpoints.splice(endpoints.indexOf(endpoint), 1);
    } else if (proof) await history.certify(proof.organisationId, proof.proofId);
  }
}

function splitAtRandom(events: readonly StoredEvent[], random: Random): readonly StoredEvent[][] {
  const longest = 1 + Math.floor(random() * 40);
  const pages: StoredEvent[][] = [];
  for (let from = 0; from < events.length; ) {
    const to = from + 1 + Math.floor(random() * longest);
    pages.push(events.slice(from, to));
    from = to;
  }
  return pages;
}

test('any division of the log into pages enqueues the same deliveries', async (t) => {
  const random = seededRandom(t);
  let enqueued = 0;
  // In a few histories the endpoints are deleted, with all their deliveries.
  const fewest = runCount(2, 10);
  for (let history = 0; history < fewest + (enqueued === 0 ? 5 : 0); history += 1) {
    const site = await createWebhookSite(t);
    const written = await createHistory(site);
    await happenAtRandom(written, random);
    const events = await written.events();
    const expected = await foldedIn(
      site,
      events.map((event) => [event]),
    );
    enqueued += expected.deliveries.length;
    t.strictSame(await foldedIn(site, [events]), expected, 'one page');
    for (let split = 0; split < 5; split += 1)
      t.strictSame(await foldedIn(site, splitAtRandom(events, random)), expected);
  }
  t.ok(enqueued > 0);
});

test('proof.attested has the position at which the proof became attested', async (t) => {
  const site = await createWebhookSite(t);
  const history = await createHistory(site);
  const [organisationId = '' as OrganisationId] = history.organisationIds;
  const webhookId = await history.register(organisationId);
  const ledger = ledgerAt(7);
  const early = await history.anchor(organisationId, ledger);
  await history.attest(ledger);
  const late = await history.anchor(organisationId, ledger);
  const events = await history.events();
  const { deliveries } = await foldedIn(site, [events]);
  const attested = deliveries.filter(({ kind }) => kind === 'proof.attested');
  const [, , attestation, last] = events.map(({ position }) => position);
  t.strictSame(
    attested.map((row) => [row.webhook_id, row.resource_id, row.position]).sort(),
    [
      [webhookId, early, attestation],
      [webhookId, late, last],
    ].sort(),
  );
});

test('an event after its endpoint was enabled again is pending, in the same page too', async (t) => {
  const site = await createWebhookSite(t);
  const history = await createHistory(site);
  const [organisationId = '' as OrganisationId] = history.organisationIds;
  const webhookId = await history.register(organisationId);
  const before = await history.anchor(organisationId, ledgerAt(1));
  await history.happen(organisationId, webhookId, 'WebhookDisabled');
  const disabled = await history.anchor(organisationId, ledgerAt(2));
  await history.happen(organisationId, webhookId, 'WebhookEnabled');
  const after = await history.anchor(organisationId, ledgerAt(3));
  const { deliveries } = await foldedIn(site, [await history.events()]);
  t.strictSame(Object.fromEntries(deliveries.map((row) => [row.resource_id, row.status])), {
    [before]: 'held',
    [disabled]: 'held',
    [after]: 'pending',
  });
});

test('no proof waits that nothing can attest any more', async (t) => {
  const site = await createWebhookSite(t);
  const history = await createHistory(site);
  const [one = '' as OrganisationId, two = '' as OrganisationId] = history.organisationIds;
  const gone = await history.register(one);
  const ledger = ledgerAt(1);
  await history.anchor(one, ledgerAt(2));
  await history.register(one);
  const last = await history.register(two);
  // In another ledger of the same index than the one that the validators signed, before and after.
  await history.anchor(two, ledger, randomHash());
  await history.attest(ledger);
  await history.anchor(two, ledger, randomHash());
  // By a chain of headers that no bundle has room for.
  const far = ledgerAt(3);
  await history.anchor(two, far);
  await history.attest(far, longestChain + 1);
  await history.anchor(two, far);
  // On a chain that was reset.
  await history.anchor(two, ledgerAt(4, '1-B'));
  await history.lose('1-B');
  // Of a network without validator lists.
  await history.anchor(two, ledgerAt(5, '0'));
  const kept = [await history.anchor(one, ledgerAt(6))];
  // Before its organisation's endpoints were deleted.
  await history.anchor(two, ledgerAt(6));
  await history.happen(one, gone, 'WebhookDeleted');
  await history.happen(two, last, 'WebhookDeleted');
  await history.register(two);
  kept.push(await history.anchor(two, ledgerAt(7)));
  const events = await history.events();
  for (const pages of [[events], events.map((event) => [event])]) {
    const { waiting } = await foldedIn(site, pages, ['testnet']);
    t.strictSame(waiting.map(({ proof_id }) => proof_id).sort(), kept.sort());
  }
});

test('a proof waits for 30 days after its anchoring, however old its request is', async (t) => {
  const site = await createWebhookSite(t);
  const history = await createHistory(site);
  const [organisationId = '' as OrganisationId] = history.organisationIds;
  await history.register(organisationId);
  const dayMs = 86_400_000;
  const queued = ulid(Date.now() - 40 * dayMs) as ProofId;
  await history.anchor(organisationId, ledgerAt(1), undefined, queued);
  await history.anchor(organisationId, ledgerAt(2));
  await foldedIn(site, [await history.events()]);
  const left = async (days: number) => {
    const now = new Date(Date.now() + days * dayMs);
    while ((await pruneUnattested(site.pool, now)) > 0);
    return (await site.pool.query('SELECT FROM webhook_unattested_proofs')).rowCount;
  };
  t.equal(await left(0), 2);
  t.equal(await left(29), 2);
  t.equal(await left(31), 0);
});

test('the processor time of a page grows with its size, not with its square', async (t) => {
  const { db } = await createWebhookSite(t);
  const ledgers = Array.from({ length: 10_000 }, (_, at) => ledgerAt(at));
  const organisationId = ulid();
  const events = [
    ...ledgers.map((data) => {
      const stream = streams.proof(ulid() as ProofId);
      return { type: 'Anchored', stream, organisationId, position: 1, data };
    }),
    ...ledgers.map((data) => ({ type: 'LedgerAttested', stream: '', position: 2, data })),
  ] as unknown as readonly StoredEvent[];
  const store = { readStreams: async () => new Map() as never };
  const deps = { store, networks: null, mayListen: () => true };
  const proofs = await db.transaction().execute((trx) => AttestedProofs.load(trx, events, deps));
  const endpoints = { isListening: () => true, oldestOf: () => 0 };
  const before = process.cpuUsage();
  const raised = events.flatMap((event) => proofs.raisedBy(event, endpoints));
  const { user } = process.cpuUsage(before);
  t.equal(raised.length, ledgers.length);
  t.ok(user < 1_000_000, `${user} µs; each attestation that looks at all proofs takes 6 s`);
});

test('the attestations of many ledgers are read in pages', async (t) => {
  const { db } = await createWebhookSite(t);
  const ledgers = Array.from({ length: 300 }, (_, at) => ledgerAt(at));
  const recorded = new Map(
    ledgers.map((data) => {
      const event = { type: 'LedgerAttested', position: 1, data };
      return [streams.attestation(data.ledgerId, data.ledgerIndex) as string, [event]];
    }),
  );
  const sizes: number[] = [];
  const readStreams = async (names: readonly string[]) => {
    sizes.push(names.length);
    return new Map(names.map((name) => [name, recorded.get(name)])) as never;
  };
  const organisationId = ulid();
  const events = ledgers.map((data) => {
    const stream = streams.proof(ulid() as ProofId);
    return { type: 'Anchored', stream, organisationId, position: 2, data };
  }) as unknown as readonly StoredEvent[];
  const deps = { store: { readStreams }, networks: null, mayListen: () => true };
  const proofs = await db.transaction().execute((trx) => AttestedProofs.load(trx, events, deps));
  const endpoints = { isListening: () => true, oldestOf: () => 0 };
  t.equal(events.flatMap((event) => proofs.raisedBy(event, endpoints)).length, 300);
  t.strictSame(sizes, [128, 128, 44]);
});
