import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import pino from 'pino';
import tap, { type Test } from 'tap';
import { ulid } from 'ulid';
import { createCertificateMaker } from '../../src/certificates/certificate-maker.ts';
import { changeUploadAllowance } from '../../src/commands/change-upload-allowance.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { scopes, scopesBarredToAgents } from '../../src/domain/key/scope.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import type { Keyring } from '../../src/event-store/keyring.ts';
import { createApp } from '../../src/http/app.ts';
import { createCertificateIssuing } from '../../src/http/certificates/certificate-issuing.ts';
import { certificateTimestamps } from '../../src/http/certificates/certificate-timestamps.ts';
import { createKeyUses } from '../../src/http/keys/key-uses.ts';
import { createAddressReader } from '../../src/http/limits/client-address.ts';
import { createNonceDeliveries } from '../../src/http/proofs/nonce-deliveries.ts';
import { type HttpServer, type ServerLimits, startServer } from '../../src/http/server.ts';
import type { Services } from '../../src/http/services.ts';
import { UnprovenAnchors } from '../../src/loading/unproven-anchors.ts';
import { DiskSpace } from '../../src/storage/disk-space.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { createFileWork } from '../../src/subscriptions/file-work.ts';
import type { StreamWatch } from '../../src/subscriptions/stream-watch.ts';
import { awaitInclusion } from '../../src/transparency-log/inclusion/await-inclusion.ts';
import { CheckpointChoice } from '../../src/transparency-log/inclusion/checkpoint-choice.ts';
import { encrypted } from './blobs.ts';
import { holdApp } from './contract/hold-app.ts';
import { testDeps } from './event-store.ts';
import { type BackendOptions, type HttpBackend, startHttpBackend } from './http-backend.ts';
import { readingFrom } from './reading-from.ts';
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
  /** Position after which the log begins for the test: 0 unless the database is shared. */
  readonly begun: number;
  /** URL of the database with the events. */
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly keyring: Keyring;
  /** Folder of stored files. */
  readonly folder: string;
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
  /**
   * Resolves when so many calls have begun to wait for the proof, or for another stream of it, those before
   * included.
   */
  awaitWaits(proofId: ProofId, calls: number, stream?: string): Promise<unknown>;
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

/** Services that a test replaces. */
export type ServiceChanges = {
  readonly [Group in Exclude<keyof Services, 'webhooks'>]?: Partial<Services[Group]>;
} & Partial<Pick<Services, 'webhooks'>> & {
    /** Parts of issuing certificates. */
    readonly issuing?: Partial<Parameters<typeof createCertificateIssuing>[0]>;
  };

/** Parts of a service's HTTP side that a test replaces. */
export interface HttpSideOptions {
  readonly services?: ServiceChanges;
  readonly limits?: Partial<ServerLimits>;
  /** Runs offloaded calls on worker threads, as the program does; by default on this thread. */
  readonly threads?: boolean;
  /** True if certificates may have time-stamp tokens. */
  readonly stamps?: boolean;
  /** Storage of the encrypted files, instead of a folder. */
  readonly objects?: ObjectStorage;
}

/** `startHttpService`, or `joinHttpService` for a test. */
export type OpenHttpService = (
  t: Pick<Test, 'teardown'>,
  options?: HttpSideOptions,
) => Promise<HttpService>;

let shared: Promise<HttpBackend> | undefined;
let joined: Promise<HttpService> | undefined;

/**
 * The service that test files of this process share, for tests that look at organisations of their own
 * only: the log has events of others too, now or later. With `t`, the test has an HTTP side of its own on the
 * shared database, with these options, and its `store` reads no earlier event.
 */
export async function joinHttpService(
  t?: Pick<Test, 'teardown'>,
  options: HttpSideOptions = {},
): Promise<HttpService> {
  shared ??= startHttpBackend(tap);
  const backend = await shared;
  if (t === undefined) {
    joined ??= openHttpSide(tap, backend, {});
    return joined;
  }
  return openHttpSide(t, backend, options, await backend.store.head());
}

/** Starts the HTTP side on a real socket and a new database, with its projectors running. */
export async function startHttpService(
  t: Pick<Test, 'teardown'>,
  options: HttpSideOptions & BackendOptions = {},
): Promise<HttpService> {
  return openHttpSide(t, await startHttpBackend(t, options), options);
}

async function openHttpSide(
  t: Pick<Test, 'teardown'>,
  backend: HttpBackend,
  options: HttpSideOptions,
  /** Position after which the log begins for the test. */
  begun = 0,
): Promise<HttpService> {
  const { databaseUrl, pool, db, repeated, store, masterKey, keyring } = backend;
  const { locks, signal, threads, leaves, published, renderer, publish } = backend;
  const deps = { ...testDeps, store };
  const waits = new Map<string, number>();
  const watch: StreamWatch = {
    ...backend.watch,
    changes(stream) {
      waits.set(stream, (waits.get(stream) ?? 0) + 1);
      return backend.watch.changes(stream);
    },
  };

  const log: string[] = [];
  const draining = new AbortController();
  let port = 0;
  const { services: changes = {} } = options;
  const { storage = encrypted(options.objects ?? backend.files, keyring) } = changes.files ?? {};
  if (options.objects || changes.files?.storage) t.teardown(() => storage.close());
  const { verification = backend.verification } = changes.files ?? {};
  if (changes.files?.verification) t.teardown(() => verification.close());
  const onError = (err: unknown) => services.telemetry.log.warn({ err });
  const { keyUses = createKeyUses(db, { onError }) } = changes.calls ?? {};
  t.teardown(() => keyUses.close());
  const nonces = createNonceDeliveries(store, {
    onError: (err) =>
      services.telemetry.log.warn({ err }, 'delivery of a nonce could not be recorded'),
  });
  t.teardown(() => nonces.close());
  const checkpoints = new CheckpointChoice(db, null);
  const events = { store, db, repeated, signal, watch, ...changes.events };
  const sources = { newId: () => ulid(), randomBytes, now: () => new Date(), ...changes.sources };
  const files = {
    ...{ storage, verification },
    fileWork: createFileWork(pool, locks),
    maxUploadBytes: 104_857_600,
    defaultStorageAllowance: null,
    uploadSpace: new DiskSpace({ storage: tmpdir(), minFreeBytes: 0 }),
    ...changes.files,
  };
  const turns = changes.calls?.turns ?? createTurns();
  const makers = {
    certificates: createCertificateMaker(renderer),
    issuer: backend.issuer,
    ...changes.certification,
  };
  const issueCertificate = createCertificateIssuing({
    ...{ ...makers, turns, store: events.store, storage: files.storage, fileWork: files.fileWork },
    ...{ newId: sources.newId, now: sources.now, unproven: new UnprovenAnchors() },
    inclusionOf: async (position) => {
      await publish();
      return awaitInclusion({ leaves, published, db, checkpoints }, position, 0);
    },
    awaitAttestation: async () => {},
    timestamps: options.stamps
      ? certificateTimestamps({ ...{ store, leaves, published, db }, log: pino(collect(log)) })
      : null,
    ...changes.issuing,
  });
  const services: Services = {
    events,
    files,
    publishedLog: {
      leaves,
      published,
      checkpoints,
      logKeys: backend.logKeys,
      ...changes.publishedLog,
    },
    certification: { issueCertificate, ...makers },
    ledger: { network: 'testnet', gateways: [], ownAccounts: [], ...changes.ledger },
    calls: {
      ...(options.threads && { offload: threads.offload }),
      ...{ nonces, proofWaitMs: 60_000, ...changes.calls, keyUses, turns },
    },
    limits: {
      limiter: backend.limiter,
      addressOf: createAddressReader([]),
      addressRequestsPerMinute: plenty.requestsPerMinute,
      itemsPerDay: plenty.requestsPerDay,
      ...changes.limits,
    },
    site: { publicUrl: () => `http://127.0.0.1:${port}`, ...changes.site },
    lifecycle: {
      ...{ draining: draining.signal, drainGraceMs: 200 },
      ...{ readiness: async () => [], degraded: async () => [], ...changes.lifecycle },
    },
    telemetry: { log: pino({ level: 'trace' }, collect(log)), ...changes.telemetry },
    sources,
    webhooks: changes.webhooks ?? createScriptedDeliveries(),
  };
  const app = createApp(services);
  holdApp(app);
  const server = await startServer(app, {
    host: '127.0.0.1',
    port: 0,
    log: services.telemetry.log,
    newId: sources.newId,
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
    store: begun === 0 ? store : readingFrom(store, begun),
    begun,
    databaseUrl,
    masterKey,
    keyring,
    folder: backend.folder,
    log,
    drain: () => draining.abort(),
    publish,
    beginEpoch: backend.beginEpoch,
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
    awaitWaits: (proofId, calls, stream = streams.proof(proofId)) =>
      until(`${calls} calls wait for ${stream}`, async () => {
        return (waits.get(stream) ?? 0) >= calls;
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

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).trimEnd().split('\n'));
      done();
    },
  });
}
