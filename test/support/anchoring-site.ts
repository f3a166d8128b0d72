import { createHash, randomBytes } from 'node:crypto';
import { filter, firstValueFrom, timeout, timer } from 'rxjs';
import type { Test } from 'tap';
import { ulid } from 'ulid';
import { Client, Wallet } from 'xrpl';
import type { OtherLedger } from '../../src/anchoring-state/ledger-identity.ts';
import { chainRevision } from '../../src/commands/chain-revision.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { endWait } from '../../src/commands/end-wait.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { requestProof } from '../../src/commands/request-proof.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import type { StoredUpload } from '../../src/domain/document/upload.ts';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { HashScheme } from '../../src/domain/proof/hash-scheme.ts';
import type { ProofState } from '../../src/domain/proof/state.ts';
import { streams } from '../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import {
  createStandaloneLedger,
  type StandaloneLedger,
} from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import type { StandaloneLedgerOptions } from '../../src/embedded/standalone-ledger/options.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { type Database, openDatabase } from '../../src/event-store/database.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { createLeaves, type Leaves } from '../../src/event-store/leaves.ts';
import type { LedgerGateway } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { createSeedSigner, type Signer } from '../../src/ledger/signer.ts';
import { type RunningAnchoring, runAnchoring } from '../../src/reactors/anchoring/run-anchoring.ts';
import { awaitProof } from '../../src/subscriptions/await-proof.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { createReactorCheckpoints } from '../../src/subscriptions/reactor-checkpoint.ts';
import { openStreamWatch } from '../../src/subscriptions/stream-watch.ts';
import { openWorkLocks, type WorkLocks } from '../../src/subscriptions/work-locks.ts';
import { createTestDatabase } from './database.ts';
import { uploadDeps, uploadTo } from './uploads.ts';

const patienceMs = 60_000;

/** An anchoring process that a test can stop, or cut off as a kill would. */
export interface AnchoringProcess {
  readonly running: RunningAnchoring;
  readonly otherLedgers: OtherLedger[];
  readonly errors: unknown[];
  /** Pauses by the storage that ended. */
  readonly storageBack: string[];
  stop(): Promise<void>;
}

export interface AnchoredTransaction {
  readonly hash: string;
  readonly result: string;
  readonly sequence: number;
  /** The hash in the transaction's memo; null for a gap fill. */
  readonly fileHash: string | null;
  /** The previous transaction that the memo names; null if it names none. */
  readonly previous: string | null;
}

/** A ledger server that closes a ledger only when the test says so. */
export interface LedgerServer {
  readonly url: string;
  /** Closes the open ledger now. */
  close(): Promise<{ readonly ledgerIndex: number }>;
  stop(): Promise<void>;
}

/** A log, a ledger that closes only when the test says so, and a funded anchoring account. */
export interface AnchoringSite<Ledger extends LedgerServer = StandaloneLedger> {
  readonly store: EventStore;
  readonly db: Database['db'];
  readonly leaves: Leaves;
  readonly ledger: Ledger;
  readonly wallet: Wallet;
  /** Another client of the same ledger. */
  readonly stranger: Client;
  start(options?: {
    gateway?: (real: LedgerGateway) => LedgerGateway;
    /** Server of the site's ledger; by default the ledger itself. */
    url?: string | readonly string[];
    maxFeeDrops?: number;
    cover?: (lastLedger: number) => Promise<void>;
    /** Compares the log with the published one. */
    compare?: () => Promise<void>;
    locks?: WorkLocks;
    /** Anchoring accounts; by default the site's one wallet. */
    wallets?: readonly Wallet[];
    /** Signers of the wallets; by default their master keys. */
    signers?: readonly Signer[];
    /** Account that anchors checkpoints; without it checkpoints are not anchored. */
    checkpointWallet?: Wallet;
  }): Promise<AnchoringProcess>;
  request(options?: {
    hashScheme?: HashScheme;
    queued?: boolean;
    fileHash?: Digest;
    /** By default the site's own workspace. */
    workspaceId?: WorkspaceId;
    /** With its workspace; by default the site's own organisation. */
    organisationId?: OrganisationId;
  }): Promise<ProofId>;
  newOrganisation(): Promise<{
    readonly organisationId: OrganisationId;
    readonly workspaceId: WorkspaceId;
  }>;
  newWorkspace(): Promise<WorkspaceId>;
  /** Funds accounts, by default the anchoring account. Needed again after a reset. */
  fund(addresses?: readonly string[], xrp?: number): Promise<void>;
  /** Uploads a new file, or a new revision of a document; its proof is queued. */
  upload(rootDocumentId?: DocumentId): Promise<StoredUpload>;
  endWait(proofId: ProofId): Promise<void>;
  state(proofId: ProofId): Promise<ProofState>;
  /** Waits until the proof's state satisfies the condition; closes no ledger. */
  until(proofId: ProofId, condition: (state: ProofState) => boolean): Promise<ProofState>;
  /**
   * Closes ledgers until the condition holds, by default after a short pause for the effects of each close.
   */
  closeUntil(condition: () => Promise<boolean> | boolean, paceMs?: number): Promise<void>;
  /** Closes ledgers until all proofs are settled; resolves with their states. */
  settle(proofIds: readonly ProofId[]): Promise<ProofState[]>;
  /** Anchoring transactions from the ledger's history of the accounts, by default of the site's one. */
  anchored(addresses?: readonly string[]): Promise<AnchoredTransaction[]>;
}

/** Builds a site with a standalone ledger for one test, and takes it down after the test. */
export function createAnchoringSite(
  t: Test,
  ledgerOptions: Pick<
    StandaloneLedgerOptions,
    'openLedgerLimit' | 'openLedgerMaximum' | 'buildVersion'
  > = {},
): Promise<AnchoringSite> {
  return createAnchoringSiteOn(t, () => createStandaloneLedger({ closeMs: 0, ...ledgerOptions }));
}

/** Builds a site on the started ledger for one test, and takes both down after the test. */
export async function createAnchoringSiteOn<Ledger extends LedgerServer>(
  t: Test,
  startLedger: () => Promise<Ledger>,
): Promise<AnchoringSite<Ledger>> {
  const { url } = await createTestDatabase(t);
  const database = openDatabase(url, { maxConnections: 10 });
  t.teardown(() => database.close());
  const { db, pool } = database;
  const store = createEventStore({ pool, keyring: createKeyring(pool, randomBytes(32)) });
  const signal = openLogSignal(url);
  t.teardown(() => signal.close());
  const newId = () => ulid();
  await openLog({ store, newId }, { actor: 'start' });
  const watch = await openStreamWatch({ store, signal });
  t.teardown(() => watch.close());

  const ledger = await startLedger();
  t.teardown(() => ledger.stop());
  /**
   * Closes a ledger, and pauses so that its effects can happen before the next close. Some database calls
   * make the pause longer on a busy machine: transactions would expire before they are submitted.
   */
  const close = async (paceMs = closePaceMs) => {
    await ledger.close();
    await firstValueFrom(timer(paceMs));
    for (let call = 0; call < callsPerClose; call += 1) await store.head();
  };
  const wallet = Wallet.generate();
  const fund = (addresses: readonly string[] = [wallet.address], xrp = 1_000) =>
    closingUntil(close, fundAccounts({ url: ledger.url, addresses, xrp }));
  await fund();
  const stranger = new Client(ledger.url);
  await stranger.connect();
  stranger.on('error', () => {});
  t.teardown(() => stranger.disconnect());

  const meta = { actor: 'operator' } as const;
  const newOrganisation = async () => {
    const order = { name: 'Ö', plan: 'enterprise' } as const;
    const organisationId = await openOrganisation({ store, newId }, order, meta);
    const named = { organisationId, name: 'W' };
    return { organisationId, workspaceId: await createWorkspace({ store, newId }, named, meta) };
  };
  const { organisationId, workspaceId } = await newOrganisation();

  const uploads = uploadDeps(store);

  const state = async (proofId: ProofId) =>
    (await load(store, streams.proof(proofId), proofDecider)).state;

  const until = async (proofId: ProofId, condition: (s: ProofState) => boolean) => {
    const changes = watch.changes(streams.proof(proofId));
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const changed = firstValueFrom(changes.pipe(timeout({ first: 1_000 }))).catch(() => null);
      const now = await state(proofId);
      if (condition(now)) return now;
      if (performance.now() > deadline) throw new Error(`proof is still ${JSON.stringify(now)}`);
      await changed;
    }
  };

  const site: AnchoringSite<Ledger> = {
    store,
    db,
    leaves: createLeaves(pool),
    ledger,
    wallet,
    stranger,
    fund,
    async start(options = {}) {
      const { gateway: wrap = (real: LedgerGateway) => real, maxFeeDrops = 1_000 } = options;
      const locks = options.locks ?? openWorkLocks(url);
      const urls = [options.url ?? ledger.url].flat();
      const real = openGateway({ network: 'testnet', urls, silenceMs: 60_000 });
      const gateway = wrap(real);
      const otherLedgers: OtherLedger[] = [];
      const errors: unknown[] = [];
      const storageBack: string[] = [];
      const running = await runAnchoring({
        store,
        checkpoints: createReactorCheckpoints(db),
        signal,
        gateway,
        locks,
        signers: options.signers ?? (options.wallets ?? [wallet]).map(masterKeyOf),
        checkpointSigner: options.checkpointWallet ? masterKeyOf(options.checkpointWallet) : null,
        cover: options.cover,
        compare: options.compare,
        onStorageBack: (pause) => storageBack.push(pause),
        maxFeeDrops,
        maxOutstanding: 500,
        onError: (error) => errors.push(error),
        onOtherLedger: (error) => otherLedgers.push(error),
      });
      let stopped = false;
      const stop = async () => {
        if (stopped) return;
        stopped = true;
        await running.stop();
        await real.close();
        await locks.close();
      };
      t.teardown(stop);
      await firstValueFrom(
        real.status.pipe(
          filter((s) => s.connected),
          timeout(patienceMs),
        ),
      );
      return { running, otherLedgers, errors, storageBack, stop };
    },
    newOrganisation,
    newWorkspace: () => createWorkspace({ store, newId }, { organisationId, name: 'Z' }, meta),
    async request(options = {}) {
      const { hashScheme = 'hmac-sha256-nonce-v3', queued = false, fileHash } = options;
      const digest = createHash('sha256').update(randomBytes(32)).digest('hex') as Digest;
      const order = {
        organisationId: options.organisationId ?? organisationId,
        workspaceId: options.workspaceId ?? workspaceId,
        network: 'testnet',
        hashScheme,
        fileHash: fileHash ?? digest,
        fileName: 'file.pdf',
        fileSizeBytes: 1,
        mimeType: null,
        description: null,
        respondAsync: queued,
      } as const;
      return (await requestProof({ store, newId, randomBytes }, order, {})).proofId;
    },
    async upload(rootDocumentId) {
      const order = uploadTo(organisationId, workspaceId);
      return rootDocumentId === undefined
        ? storeDocument(uploads, order, {})
        : chainRevision(uploads, { ...order, rootDocumentId }, {});
    },
    endWait: (proofId) => endWait(store, proofId, {}),
    state,
    until,
    async closeUntil(condition, paceMs = closePaceMs) {
      const deadline = performance.now() + patienceMs;
      while (!(await condition())) {
        if (performance.now() > deadline) throw new Error('no such state was reached');
        await close(paceMs);
      }
    },
    async settle(proofIds) {
      const settled = proofIds.map((id) => awaitProof({ store, watch }, id, timer(patienceMs)));
      return closingUntil(close, Promise.all(settled));
    },
    async anchored(addresses = [wallet.address]) {
      const histories = addresses.map((address) => readHistory(stranger, address));
      return (await Promise.all(histories)).flat();
    },
  };
  return site;
}

export function masterKeyOf({ seed }: Wallet): Signer {
  return createSeedSigner(seed ?? '');
}

/** Shortest pause between two closes. */
const closePaceMs = 40;
const callsPerClose = 10;

async function closingUntil<Result>(
  close: () => Promise<void>,
  work: Promise<Result>,
): Promise<Result> {
  let done = false;
  const over = () => {
    done = true;
  };
  work.then(over, over);
  while (!done) await close();
  return work;
}

async function readHistory(client: Client, account: string): Promise<AnchoredTransaction[]> {
  const found: AnchoredTransaction[] = [];
  let marker: unknown;
  do {
    const { result } = await client.request({
      command: 'account_tx',
      account,
      forward: true,
      ...(marker ? { marker } : {}),
    });
    for (const { tx_json: tx, meta: metadata, hash } of result.transactions) {
      if (tx?.TransactionType !== 'AccountSet' || typeof metadata !== 'object') continue;
      const data = tx.Memos?.[0]?.Memo.MemoData;
      const memo = data ? JSON.parse(Buffer.from(data, 'hex').toString('utf8')) : null;
      found.push({
        hash: hash ?? '',
        result: metadata.TransactionResult,
        sequence: tx.Sequence ?? 0,
        fileHash: memo?.fileHash ?? null,
        previous: memo?.previous ?? null,
      });
    }
    marker = result.marker;
  } while (marker);
  return found;
}
