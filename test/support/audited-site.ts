import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { Test } from 'tap';
import { ulid } from 'ulid';
import { projections } from '../../projections/registry.ts';
import { recordRun } from '../../src/commands/record-run.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { KeyIssued } from '../../src/domain/key/events.ts';
import type { ProofRequested } from '../../src/domain/proof/events.ts';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import { streams } from '../../src/domain/streams.ts';
import type { KeyId, OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createLeaves } from '../../src/event-store/leaves.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { newFolder } from './blobs.ts';
import { createTestDatabase } from './database.ts';
import { openTestStore } from './event-store.ts';
import { report } from './runs.ts';
import { sampleProof, sampleWallet } from './sample-bundle.ts';
import { createUploadSite, type UploadSite, uploadMeta } from './uploads.ts';

const ledgerId = '1';
const logSeed = Buffer.alloc(32, 9);
/** Number of anchored documents; one more is pending. */
const anchoredCount = 3;
/** Sizes of the published checkpoints: of full tiles and of partial ones. */
export const checkpointSizes = [60, 256, 290] as const;
export const logSize = 300;

/** Drops all constraints, as an attacker with the rights to change rows can. */
export const withoutConstraints = `
  DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT conrelid::regclass AS of, conname FROM pg_constraint
      WHERE contype <> 'n' AND conrelid::regclass::text = ANY (ARRAY['events', 'log_head',
        'data_keys', 'published_checkpoints', 'checkpoint_cosignatures', 'checkpoints'])
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', one.of, one.conname); END LOOP;
    FOR one IN SELECT attrelid::regclass AS of, attname FROM pg_attribute
      WHERE attnotnull AND attnum > 0 AND attrelid::regclass::text = ANY (ARRAY['events',
        'log_head', 'data_keys', 'published_checkpoints', 'checkpoint_cosignatures', 'checkpoints'])
    LOOP EXECUTE format('ALTER TABLE %s ALTER %I DROP NOT NULL', one.of, one.attname); END LOOP;
  END $$;
  CREATE INDEX ON events (position)`;

/** SQL statements, or a function that runs some. */
export type Change = string | ((client: pg.ClientBase) => Promise<unknown>);

/** A small faultless log with everything that an audit checks. No program runs on it. */
export interface AuditedSite {
  /** URL of the database, as its superuser. */
  readonly url: string;
  readonly dataDir: string;
  /** Environment of `ops`. */
  readonly env: Readonly<Record<string, string>>;
  readonly origin: string;
  readonly vkey: string;
  /** Makes changes that no role of the service may make, in one transaction without triggers. */
  tamper(...changes: readonly Change[]): Promise<void>;
  /** First column of the first row. */
  ask<Value>(text: string): Promise<Value>;
  /** Copies the site's database. Nobody may be connected to it meanwhile. */
  copy(t: Pick<Test, 'teardown'>): Promise<AuditedSite>;
}

/** Appends a key without a taken place, as releases before the limit of keys did. */
async function appendKey(store: EventStore, organisationId: OrganisationId): Promise<void> {
  const keyId = ulid() as KeyId;
  const data: KeyIssued['data'] = {
    keyId,
    organisationId,
    keyHash: '00'.repeat(32),
    displayPrefix: 'svc_live_abcd',
    name: 'auditor',
    scopes: ['documents:read'],
    agent: false,
    expiresAt: null,
    requestsPerMinute: null,
    requestsPerDay: null,
  };
  const events = [{ type: 'KeyIssued', data }] as const;
  const stream = streams.key(keyId);
  await store.append([{ organisationId, stream, expectedVersion: 0, events }], uploadMeta);
}

/** Builds the site; it is removed when `t` is over. */
export async function createAuditedSite(t: Pick<Test, 'teardown'>): Promise<AuditedSite> {
  const { url } = await createTestDatabase(t);
  const dataDir = await newFolder(t);
  const { store, db, pool, masterKey, close } = openTestStore({ teardown: () => {} }, url);
  const site = await createUploadSite(store);
  const { organisationId } = site;
  await appendKey(store, organisationId);
  await joinLedger(store);
  for (let n = 0; n <= anchoredCount; n += 1) {
    const { proofId } = await storeDocument(site.deps, site.order(), uploadMeta);
    if (n < anchoredCount) await anchor(store, site, proofId, n + 1);
  }
  await recordRun({ store }, organisationId, report('nightly'), uploadMeta);
  const published = await openLogStorage(pathToFileURL(join(dataDir, 'files')).href);
  const leaves = createLeaves(pool);
  const publisher = new Publisher({ store, leaves, history: db, published, seeds: [logSeed] });
  const stream = streams.organisation(organisationId);
  for (const size of [...checkpointSizes, logSize]) {
    const left = size - (await store.head());
    const event = { type: 'PlanChanged', data: { plan: 'enterprise' } } as const;
    const events = Array.from({ length: left }, () => event);
    const expectedVersion = await store.versionOf(stream);
    await store.append([{ organisationId, stream, expectedVersion, events }], uploadMeta);
    if (size < logSize) await publisher.publish();
  }
  for (const projection of projections) await prepareProjection(db, projection);
  await catchUp({ db, store, projections, position: await store.head() });
  const { rows } = await pool.query<{ origin: string }>('SELECT origin FROM published_checkpoints');
  const origin = rows[0]?.origin ?? '';
  await published.close();
  await close();
  const { vkey } = noteSigner(origin, logSeed);
  return siteAt(url, { dataDir, origin, vkey, masterKey });
}

function siteAt(url: string, site: SiteOfCopies): AuditedSite {
  const { masterKey, ...known } = site;
  const connected = async <Value>(work: (client: pg.Client) => Promise<Value>) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return work(client).finally(() => client.end());
  };
  return {
    ...known,
    url,
    env: {
      DATABASE_URL: url,
      MASTER_KEY: masterKey.toString('base64'),
      LOG_KEY: logSeed.toString('base64'),
      DATA_DIR: known.dataDir,
      XRPL_TESTNET_URL: 'ws://127.0.0.1:1',
      XRPL_TESTNET_ACCOUNTS: sampleWallet.seed ?? '',
    },
    tamper: (...changes) =>
      connected(async (client) => {
        await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
        for (const change of changes) {
          await (typeof change === 'string' ? client.query(change) : change(client));
        }
        await client.query('COMMIT');
      }),
    ask: (text) =>
      connected(async (client) => {
        const { rows } = await client.query({ text, rowMode: 'array' });
        return rows[0]?.[0];
      }),
    async copy(t) {
      const copied = await createTestDatabase(t, { template: new URL(url).pathname.slice(1) });
      return siteAt(copied.url, site);
    },
  };
}

/** Data that a site shares with its copies. */
type SiteOfCopies = Pick<AuditedSite, 'dataDir' | 'origin' | 'vkey'> & {
  readonly masterKey: Buffer;
};

async function joinLedger(store: EventStore): Promise<void> {
  const ledger = { ledgerId, network: 'testnet', networkId: 1, standalone: false } as const;
  const data = { ...ledger, index: 90_000_000, hash: 'A1'.repeat(32), closeTime: 848_531_000 };
  const events = [{ type: 'LedgerJoined', data }] as const;
  const entry = { organisationId: null, stream: streams.ledger(ledgerId), expectedVersion: 0 };
  await store.append([{ ...entry, events }], { actor: 'anchoring' });
}

/**
 * Appends the anchoring of a proof as if its transaction were in a validated ledger. The evidence is valid
 * by itself.
 */
async function anchor(
  store: EventStore,
  { organisationId }: UploadSite,
  proofId: ProofId,
  version: number,
): Promise<void> {
  const stream = streams.proof(proofId);
  const before = await store.readStream(stream);
  const request = before[0] as ProofRequested | undefined;
  const { commitment, hashScheme } = request?.data ?? {};
  if (!commitment || !hashScheme) throw new Error('not a salted proof');
  const memo = proofMemo({ fileHash: commitment, hashScheme, previous: null });
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  const Memo = { MemoType: hex(memo.type), MemoFormat: hex(memo.format), MemoData: hex(memo.data) };
  const { content, evidence } = sampleProof({ transaction: { Memos: [{ Memo }] }, unlogged: true });
  const { transactionHash, ledgerIndex, ledgerHash, closeTimeIso, account } = content;
  const { blob, metadata, ledgerHeader, closeTime, transactionIndex } = evidence;
  const fee = { sequence: 7, feeDrops: 10, minLedger: ledgerIndex - 2 };
  const sent = { ledgerId, transactionHash, blob, account, ...fee };
  const prepared = { ...sent, lastLedgerSequence: ledgerIndex + 2, replaces: null, hashScheme };
  const place = { ledgerId, transactionHash, ledgerIndex, ledgerHash, closeTime, closeTimeIso };
  const events: readonly DomainEvent[] = [
    { type: 'AnchorPrepared', data: { ...prepared, previousTransactionHash: null } },
    { type: 'Anchored', data: { ...place, transactionIndex, metadata, ledgerHeader } },
  ];
  const taken = { ledgerId, account, taken: [{ sequence: 7, proofId }] };
  const own = { organisationId: null, stream: streams.account(ledgerId, account) };
  await store.append(
    [
      { organisationId, stream, expectedVersion: before.length, events },
      { ...own, expectedVersion: version - 1, events: [{ type: 'SequencesTaken', data: taken }] },
    ],
    { actor: 'anchoring' },
  );
}
