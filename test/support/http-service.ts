import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import pino from 'pino';
import { merge } from 'rxjs';
import tap, { type Test } from 'tap';
import { ulid } from 'ulid';
import { projections } from '../../projections/registry.ts';
import { ByteVerifier } from '../../src/byte-verification/byte-verifier.ts';
import { createCertificateMaker } from '../../src/certificates/certificate-maker.ts';
import { createCertificateRenderer } from '../../src/certificates/pdf/certificate-renderer.ts';
import { changeUploadAllowance } from '../../src/commands/change-upload-allowance.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { UnprovenAnchors } from '../../src/commands/unproven-anchors.ts';
import { startDatabaseThreads } from '../../src/database-threads/start-database-threads.ts';
import { scopes, scopesBarredToAgents } from '../../src/domain/key/scope.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import type { Keyring } from '../../src/event-store/keyring.ts';
import { createLeaves } from '../../src/event-store/leaves.ts';
import { createLogRows } from '../../src/event-store/log-rows.ts';
import { createApp } from '../../src/http/app.ts';
import { certificateTimestamps } from '../../src/http/certificates/certificate-timestamps.ts';
import { createKeyUses } from '../../src/http/keys/key-uses.ts';
import { createAddressReader } from '../../src/http/limits/client-address.ts';
import { createPostgresLimiter } from '../../src/http/limits/postgres-limiter.ts';
import type { RequestLimiter } from '../../src/http/limits/request-limiter.ts';
import { createNonceDeliveries } from '../../src/http/proofs/nonce-deliveries.ts';
import { type HttpServer, type ServerLimits, startServer } from '../../src/http/server.ts';
import type { Services } from '../../src/http/services.ts';
import { createIssuerKeys } from '../../src/issuer/issuer-keys.ts';
import { DiskSpace } from '../../src/storage/disk-space.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { createFileWork } from '../../src/subscriptions/file-work.ts';
import { foldElsewhere } from '../../src/subscriptions/fold-elsewhere.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { createLogTail } from '../../src/subscriptions/log-tail.ts';
import { runProjector } from '../../src/subscriptions/projector.ts';
import { openStreamWatch, type StreamWatch } from '../../src/subscriptions/stream-watch.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { currentOrigin } from '../../src/transparency-log/current-origin.ts';
import { awaitInclusion } from '../../src/transparency-log/inclusion/await-inclusion.ts';
import { CheckpointChoice } from '../../src/transparency-log/inclusion/checkpoint-choice.ts';
import { loadLog } from '../../src/transparency-log/load-log.ts';
import { createLogKeys } from '../../src/transparency-log/publish/create-log-keys.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { PublishedLog } from '../../src/transparency-log/published/published-log.ts';
import { encrypted, newFolder } from './blobs.ts';
import { holdApp } from './contract/hold-app.ts';
import { createTestStore, testDeps } from './event-store.ts';
import { MemoryLogFiles } from './memory-log-files.ts';
import { logSeed } from './publishing-site.ts';
import { createScriptedDeliveries } from './scripted-deliveries.ts';
import { until } from './until.ts';

/** An organisation with a workspace and a key with all scopes. */
export interface TestOrganisation {
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
  readonly key: string;
}

export interface HttpService {
  readonly url: string;
  readonly port: number;
  readonly server: HttpServer;
  readonly services: Services;
  readonly store: EventStore;
  /** URL of the database with the events. */
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly keyring: Keyring;
  /** All log lines so far, each a JSON text. */
  readonly log: readonly string[];
  readonly drain: () => void;
  /** Publishes a checkpoint of the log as it is. */
  readonly publish: () => Promise<{ readonly size: number }>;
  /** Begins a new epoch of the log, as after a restore that lost no event, and publishes it. */
  readonly beginEpoch: (epoch: number) => Promise<void>;
  openOrganisation(
    plan?: 'free' | 'professional' | 'enterprise',
    workspaceName?: string,
  ): Promise<TestOrganisation>;
  issueKey(
    organisationId: OrganisationId,
    order?: {
      readonly scopes?: readonly string[];
      readonly expiresAt?: string | null;
      readonly agent?: boolean;
      readonly requestsPerMinute?: number;
      readonly requestsPerDay?: number;
    },
  ): Promise<string>;
  /** Sets the organisation's allowance of uploads in a month. */
  allow(organisationId: OrganisationId, uploads: number): Promise<void>;
  /** Resolves when so many calls have begun to wait for the proof, those before included. */
  awaitWaits(proofId: ProofId, calls: number): Promise<unknown>;
  /** Calls the API below `/api/v1`, or an absolute path; `json` becomes the body. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

export interface CallOptions {
  readonly key?: string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

const agentScopes = scopes.filter((scope) => !scopesBarredToAgents.includes(scope));

/** Limits so high that no test reaches them by accident. */
export const plenty = { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 } as const;

export const operator = { actor: 'operator' } as const;

let joined: Promise<HttpService> | undefined;

/**
 * The service that test files of this process share, for tests that look at organisations of their own
 * only: the log has events of others too, now or later.
 */
export function joinHttpService(): Promise<HttpService> {
  joined ??= startHttpService(tap);
  return joined;
}

/** Starts the HTTP side on a real socket and a new database, with its projectors running. */
export async function startHttpService(
  t: Pick<Test, 'teardown'>,
  options: {
    readonly services?: Partial<Services>;
    readonly limits?: Partial<ServerLimits>;
    readonly project?: boolean;
    /** By default one that all tests share. */
    readonly masterKey?: Buffer;
    /** Runs offloaded calls on worker threads, as the program does; by default on this thread. */
    readonly threads?: boolean;
    /** True if certificates may have time-stamp tokens. */
    readonly stamps?: boolean;
    /** Folder of stored files; by default a new one. */
    readonly folder?: string;
    /** Storage of the encrypted files, instead of a folder. */
    readonly objects?: ObjectStorage;
  } = {},
): Promise<HttpService> {
  const {
    url: databaseUrl,
    pool,
    db,
    repeated,
    store,
    masterKey,
    keyring,
    highWater,
    appended,
  } = await createTestStore(t, {
    kind: 'projected',
    ...(options.masterKey && { masterKey: options.masterKey }),
  });
  const locks = openWorkLocks(databaseUrl);
  t.teardown(() => locks.close());
  const deps = { ...testDeps, store };
  await openLog(deps, operator);
  const signal = openLogSignal(databaseUrl);
  t.teardown(() => signal.close());
  const masterKeys = { present: masterKey };
  const threads = startDatabaseThreads({
    ...{ url: databaseUrl, masterKeys, highWater },
    callThreads: 2,
  });
  t.teardown(() => threads.close());
  // Reads the log once for all projectors, as in the program.
  const headersOf = projections.flatMap(({ types, hasLargeEvents }) =>
    hasLargeEvents ? types : [],
  );
  const rows = createLogRows(pool, headersOf, highWater, appended);
  const tail = createLogTail({ store, signal, rows, keyring });
  t.teardown(() => tail.close());
  if (options.project !== false) {
    // Sessions are what starting a service costs most: the projectors need no more than these.
    const folding = openDatabase(databaseUrl, { maxConnections: 3 });
    t.teardown(() => folding.close());
    const projecting = projections.map((projection) => {
      const { name, hasLargeEvents = false } = projection;
      const elsewhere = () => threads.fold(name);
      const isApart = hasLargeEvents && options.threads;
      const foldNext =
        isApart && foldElsewhere({ db: folding.db, store: tail }, projection, elsewhere);
      const fold = { db: folding.repeated, store: tail, signal, projection };
      return runProjector({ ...fold, ...(foldNext && { foldNext }) });
    });
    const running = merge(...projecting).subscribe();
    t.teardown(() => running.unsubscribe());
  }
  const opened = await openStreamWatch({ store: tail, signal });
  t.teardown(() => opened.close());
  const waits = new Map<string, number>();
  const watch: StreamWatch = {
    ...opened,
    changes(stream) {
      waits.set(stream, (waits.get(stream) ?? 0) + 1);
      return opened.changes(stream);
    },
  };

  const log: string[] = [];
  const draining = new AbortController();
  let port = 0;
  const { folder = await newFolder(t) } = options;
  const { objects = await FileStorage.open(folder) } = options;
  const { storage = encrypted(objects, keyring) } = options.services ?? {};
  const { verification = new ByteVerifier() } = options.services ?? {};
  const renderer = createCertificateRenderer();
  t.teardown(() => Promise.all([verification.close(), storage.close(), renderer.close()]));
  const { limiter = openLimiter(t, databaseUrl) } = options.services ?? {};
  const { keyUses = createKeyUses(db, { onError: (err) => services.log.warn({ err }) }) } =
    options.services ?? {};
  t.teardown(() => keyUses.close());
  const nonces = createNonceDeliveries(store, {
    onError: (err) => services.log.warn({ err }, 'delivery of a nonce could not be recorded'),
  });
  t.teardown(() => nonces.close());
  const leaves = createLeaves(pool);
  const published = new PublishedLog(new MemoryLogFiles());
  const newPublisher = () =>
    new Publisher({ store, leaves, history: db, published, seeds: [logSeed] });
  let publisher = newPublisher();
  let publishing: Promise<unknown> = Promise.resolve();
  const publish = () => {
    const next = publishing.then(() => publisher.publish());
    publishing = next.catch(() => {});
    return next;
  };
  const checkpoints = new CheckpointChoice(db, null);
  const services: Services = {
    ...(options.threads && { offload: threads.offload }),
    inclusionOf: async (position) => {
      await publish();
      return awaitInclusion({ leaves, published, db, checkpoints }, position, 0);
    },
    awaitAttestation: async () => {},
    timestamps: options.stamps
      ? certificateTimestamps({ ...{ store, leaves, published, db }, log: pino(collect(log)) })
      : null,
    issuer: createIssuerKeys({ store, keyring }),
    logKeys: createLogKeys({ origin: await currentOrigin(store), history: db, seeds: [logSeed] }),
    keyUses,
    nonces,
    limiter,
    addressOf: createAddressReader([]),
    addressRequestsPerMinute: plenty.requestsPerMinute,
    itemsPerDay: plenty.requestsPerDay,
    store,
    leaves,
    published,
    checkpoints,
    db,
    repeated,
    signal,
    watch,
    storage,
    verification,
    certificates: createCertificateMaker(renderer),
    webhooks: createScriptedDeliveries(),
    fileWork: createFileWork(pool, locks),
    turns: createTurns(),
    unproven: new UnprovenAnchors(),
    maxUploadBytes: 104_857_600,
    defaultStorageAllowance: null,
    network: 'testnet',
    gateways: [],
    ownAccounts: [],
    publicUrl: () => `http://127.0.0.1:${port}`,
    proofWaitMs: 60_000,
    draining: draining.signal,
    drainGraceMs: 200,
    log: pino({ level: 'trace' }, collect(log)),
    readiness: async () => [],
    degraded: async () => [],
    uploadSpace: new DiskSpace({ storage: tmpdir(), minFreeBytes: 0 }),
    newId: () => ulid(),
    randomBytes,
    now: () => new Date(),
    ...options.services,
  };
  const app = createApp(services);
  holdApp(app);
  const server = await startServer(app, {
    host: '127.0.0.1',
    port: 0,
    log: services.log,
    newId: services.newId,
    ...(options.limits && { limits: options.limits }),
  });
  t.teardown(() => server.stop(0));
  port = server.port;
  const url = `http://127.0.0.1:${port}`;

  const service: HttpService = {
    url,
    port,
    server,
    services,
    store,
    databaseUrl,
    masterKey,
    keyring,
    log,
    drain: () => draining.abort(),
    publish,
    async beginEpoch(epoch) {
      const log = await loadLog(store);
      if (log === null) throw new Error('the log was opened');
      const { state, version: expectedVersion } = log;
      const kept = { epoch, keptSize: await store.head(), keptRootHash: '0'.repeat(64) };
      const events = [
        { type: 'LogRestored', data: { ...kept, published: null, anchored: null, reached: null } },
        { type: 'LogReconciled', data: { epoch, recovered: 0, lost: 0 } },
      ] as const;
      const stream = streams.log(state.logId);
      await store.append([{ organisationId: null, stream, expectedVersion, events }], operator);
      publisher = newPublisher();
      await publish();
    },
    async openOrganisation(plan = 'professional', workspaceName = 'Archive') {
      const organisationId = await openOrganisation(
        deps,
        { name: 'Acme', plan, ...plenty },
        operator,
      );
      const order = { organisationId, name: workspaceName };
      const workspaceId = await createWorkspace(deps, order, operator);
      const key = await service.issueKey(organisationId);
      return { organisationId, workspaceId, key };
    },
    async issueKey(organisationId, order = {}) {
      const issued = await issueKey(
        deps,
        {
          organisationId,
          scopes: order.scopes ?? (order.agent ? agentScopes : scopes),
          expiresAt: order.expiresAt ?? null,
          agent: order.agent ?? false,
          name: null,
          requestsPerMinute: order.requestsPerMinute ?? null,
          requestsPerDay: order.requestsPerDay ?? null,
          issuedBy: null,
        },
        operator,
      );
      return issued.key;
    },
    allow: (organisationId, uploads) =>
      changeUploadAllowance(store, organisationId, uploads, operator),
    awaitWaits: (proofId, calls) =>
      until(`${calls} calls wait for proof ${proofId}`, async () => {
        return (waits.get(streams.proof(proofId)) ?? 0) >= calls;
      }),
    async call(method, path, { key, json, body, headers = {} } = {}) {
      const target = /^\/(api|healthz|readyz|verify|log)(?![-\w])/.test(path)
        ? path
        : `/api/v1${path}`;
      const response = await fetch(`${url}${target}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text !== '' ? JSON.parse(text) : null,
      };
    },
  };
  return service;
}

/**
 * Has a longer timeout than the service's own: on a slow machine, a timeout would lift the limits of a
 * test.
 */
export function openLimiter(t: Pick<Test, 'teardown'>, databaseUrl: string): RequestLimiter {
  const log = pino({ level: 'silent' });
  const limiter = createPostgresLimiter(databaseUrl, { log, timeoutMs: 60_000 });
  t.teardown(() => limiter.close());
  return limiter;
}

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).trimEnd().split('\n'));
      done();
    },
  });
}
