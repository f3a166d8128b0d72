import { randomBytes } from 'node:crypto';
import { createTurns } from '../commands/turns.ts';
import type { DatabaseThreads } from '../database-threads/start-database-threads.ts';
import { createApp } from '../http/app.ts';
import { createAddressReader } from '../http/client-address.ts';
import { createKeyUses } from '../http/key-uses.ts';
import { createPostgresLimiter } from '../http/limits/postgres-limiter.ts';
import { startServer } from '../http/server.ts';
import type { RunningAnchoring } from '../reactors/anchoring/run-anchoring.ts';
import { createFileWork } from '../subscriptions/file-work.ts';
import { openStreamWatch } from '../subscriptions/stream-watch.ts';
import { openWorkLocks } from '../subscriptions/work-locks.ts';
import { currentOrigin } from '../transparency-log/current-origin.ts';
import { awaitInclusion } from '../transparency-log/inclusion/await-inclusion.ts';
import { createLogKeys } from '../transparency-log/publish/create-log-keys.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';
import { CannotServe } from './cannot-serve.ts';
import { findReadiness } from './find-readiness.ts';
import { newId, now, type Program } from './program.ts';
import { startCertificates } from './start-certificates.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';
import type { Files } from './start-storage.ts';
import { welcome } from './welcome.ts';

const checkpointWaitMs = 5_000;

/** Serves the API, and says where. Resolves with the address. */
export async function startApi(
  program: Program,
  core: Core,
  { offload }: Pick<DatabaseThreads, 'offload'>,
  configured: readonly NetworkParts[],
  anchorings: readonly RunningAnchoring[],
  files: Files,
  webhooks: WebhookDeliveries,
): Promise<string> {
  const { config, log, parts, draining, telemetry } = program;
  const { url, database, store, signal, leaves, published } = core;
  const { db } = database;
  const watch = await openStreamWatch({
    store,
    signal,
    onError: (err) => log.warn({ err }, 'the log could not be read'),
  });
  parts.add('stream watch', () => watch.close());

  const limiter = createPostgresLimiter(url, { log });
  parts.add('request limits', () => limiter.close());
  const locks = openWorkLocks(url, {
    onLost: (err) => log.warn({ err }, 'others are not told what is under way until it is again'),
  });
  parts.add('locks on files', () => locks.close());

  const keyUses = createKeyUses(db, {
    onError: (err) => log.warn({ err }, 'the last uses of keys are written later'),
  });
  parts.add('last uses of keys', () => keyUses.close());

  const [first] = configured;
  if (first === undefined) throw new Error('no network is configured');
  const https = config.publicUrl?.startsWith('https:') ?? false;
  let address = '';
  const app = createApp({
    store,
    db,
    signal,
    watch,
    ...files,
    leaves,
    published,
    inclusionOf: (position) =>
      awaitInclusion({ leaves, published, db }, position, checkpointWaitMs),
    logKeys: createLogKeys({
      origin: await currentOrigin(store),
      history: db,
      seeds: config.logKeys?.map((key) => key.reveal()) ?? [],
    }),
    certificates: startCertificates(program),
    fileWork: createFileWork(database.pool, locks),
    webhooks,
    turns: createTurns(),
    offload,
    keyUses,
    limiter,
    addressOf: createAddressReader(config.trustProxy),
    addressRequestsPerMinute: config.addressRequestsPerMinute,
    maxUploadBytes: config.maxUploadBytes,
    network: first.gateway.network,
    gateways: configured.map(({ gateway }) => gateway),
    ownAccounts: configured.flatMap(({ gateway: { network }, signers }) =>
      signers.map(({ address }) => ({ network, address })),
    ),
    currentLedgerId: (network) =>
      anchorings.find((anchoring) => anchoring.network === network)?.ledgerId() ?? null,
    publicUrl: () => config.publicUrl ?? address,
    https,
    proofWaitMs: config.proofWaitMs,
    draining,
    log,
    onHandled: telemetry.metrics.requests.handled,
    trace: telemetry.trace,
    readiness: findReadiness(core, configured, anchorings),
    newId,
    randomBytes,
    now,
  });
  const { host, port } = config;
  const server = await startServer(app, { host, port, log, newId, https }).catch((cause: Error) => {
    const advice = 'set HOST and PORT to what is free on this machine';
    throw new CannotServe(`cannot serve: ${cause.message}; ${advice}`, { cause });
  });
  parts.add('HTTP server', () => server.stop());
  address = addressOf(host, server.port);
  log.info({ address }, 'listening');
  process.stdout.write(`Proofmark listens on ${address}\n`);
  if (config.databaseUrl === null) await welcome(store, address);
  return address;
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
