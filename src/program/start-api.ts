import { randomBytes } from 'node:crypto';
import { createCertificateMaker } from '../certificates/certificate-maker.ts';
import type { CertificateMaker } from '../certificates/contract.ts';
import { createCertificateRenderer } from '../certificates/pdf/certificate-renderer.ts';
import type { CertificateSigner } from '../certificates/signature/certificate-signer.ts';
import { verifierProgram } from '../certificates/verifier-program.ts';
import { publishVerifier } from '../commands/publish-verifier.ts';
import type { DatabaseThreads } from '../database-threads/start-database-threads.ts';
import { createTurns } from '../event-store/handling/turns.ts';
import { createApp } from '../http/app.ts';
import { createCertificateIssuing } from '../http/certificates/certificate-issuing.ts';
import { certificateTimestamps } from '../http/certificates/certificate-timestamps.ts';
import { createKeyUses } from '../http/keys/key-uses.ts';
import { createAddressReader } from '../http/limits/client-address.ts';
import { createPostgresLimiter } from '../http/limits/postgres-limiter.ts';
import { createAddressRecorder } from '../http/limits/recorded-address.ts';
import { createNonceDeliveries } from '../http/proofs/nonce-deliveries.ts';
import { startServer } from '../http/server.ts';
import { countedProvider } from '../identity/counted-provider.ts';
import { createOpenIdProvider } from '../identity/openid-provider.ts';
import { createIssuerKeys } from '../issuer/issuer-keys.ts';
import { UnprovenAnchors } from '../loading/unproven-anchors.ts';
import type { RunningAnchoring } from '../reactors/anchoring/run-anchoring.ts';
import { createAttestationWait } from '../subscriptions/await-attestation.ts';
import { createFileWork } from '../subscriptions/file-work.ts';
import { openStreamWatch } from '../subscriptions/stream-watch.ts';
import { openWorkLocks } from '../subscriptions/work-locks.ts';
import { signInMetrics } from '../telemetry/sign-in-metrics.ts';
import { traceCertificates } from '../telemetry/trace-certificates.ts';
import { currentOrigin } from '../transparency-log/current-origin.ts';
import { awaitInclusion } from '../transparency-log/inclusion/await-inclusion.ts';
import { CheckpointChoice } from '../transparency-log/inclusion/checkpoint-choice.ts';
import { createLogKeys } from '../transparency-log/publish/create-log-keys.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';
import { CannotServe } from './cannot-serve.ts';
import { findDegraded } from './find-degraded.ts';
import { findReadiness } from './find-readiness.ts';
import { growYoungSpace } from './grow-young-space.ts';
import { openCertificateSigner } from './open-certificate-signer.ts';
import { newId, now, type Program } from './program.ts';
import { readWitnessPolicy } from './read-witness-policy.ts';
import type { Core } from './start-core.ts';
import { attestedNetworks, type NetworkParts } from './start-networks.ts';
import type { Files } from './start-storage.ts';
import { startSucceeding } from './start-succeeding.ts';
import { welcome } from './welcome.ts';

const checkpointWaitMs = 5_000;

/** Serves the API, and logs and prints the address. Returns the address. */
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
  const { url, database, store, signal, tail, leaves, published } = core;
  const { db, repeated } = database;
  const watch = await openStreamWatch({
    store: tail,
    signal,
    onError: (err) =>
      log.warn({ err }, 'events could not be passed to waiting calls, which read them later'),
  });
  parts.add('stream watch', () => watch.close());
  parts.add('young objects', growYoungSpace(watch.size));

  const limiter = createPostgresLimiter(url, { log });
  parts.add('request limits', () => limiter.close());
  const locks = openWorkLocks(url, {
    onLost: (err) => log.warn({ err }, 'upload-lock connection lost; reconnecting'),
  });
  parts.add('locks on files', () => locks.close());

  const keyUses = createKeyUses(db, {
    onError: (err) =>
      log.warn({ err }, 'last-use times of API keys could not be written; retrying later'),
  });
  parts.add('last uses of keys', () => keyUses.close());

  const nonces = createNonceDeliveries(store, {
    onError: (err) =>
      log.warn(
        { err },
        'delivery of a nonce could not be recorded; its owner may receive the nonce once more',
      ),
  });
  parts.add('deliveries of nonces', () => nonces.close());

  await publishVerifier(store, verifierProgram().sha256, { actor: 'start' });
  const [first] = configured;
  if (first === undefined) throw new Error('no network is configured');
  const https = config.publicUrl?.startsWith('https:') ?? false;
  const checkpoints = new CheckpointChoice(db, await readWitnessPolicy(config));
  let address = '';
  const publicUrl = () => config.publicUrl ?? address;
  const turns = createTurns();
  const fileWork = createFileWork(database.pool, locks);
  const certificates = startCertificates(program, await openCertificateSigner(program));
  const issuer = createIssuerKeys(core);
  const timestamps =
    config.timestampAuthority === null
      ? null
      : certificateTimestamps({ store, leaves, published, db, log });
  const issueCertificate = createCertificateIssuing({
    ...{ store, storage: files.storage, certificates, issuer, timestamps },
    ...{ turns, fileWork, unproven: new UnprovenAnchors(), newId, now },
    inclusionOf: (position) =>
      awaitInclusion({ leaves, published, db, checkpoints }, position, checkpointWaitMs),
    awaitAttestation: createAttestationWait({
      ...{ store, watch, now },
      networks: attestedNetworks(configured),
    }),
  });
  const app = createApp({
    events: { store, db, repeated, signal, watch, tail },
    files: {
      ...files,
      fileWork,
      maxUploadBytes: config.maxUploadBytes,
      defaultStorageAllowance: config.storageAllowanceBytes,
    },
    publishedLog: {
      ...{ leaves, published, checkpoints },
      logKeys: createLogKeys({
        origin: await currentOrigin(store),
        history: db,
        seeds: config.logKeys?.map((key) => key.reveal()) ?? [],
      }),
    },
    certification: { certificates, issuer, issueCertificate },
    ledger: {
      network: first.gateway.network,
      gateways: configured.map(({ gateway }) => gateway),
      ownAccounts: configured.flatMap(({ gateway: { network }, accounts }) =>
        accounts.map((address) => ({ network, address })),
      ),
      currentLedgerId: (network) =>
        anchorings.find((anchoring) => anchoring.network === network)?.ledgerId() ?? null,
    },
    calls: {
      ...{ turns, offload, keyUses, nonces, proofWaitMs: config.proofWaitMs },
      recordedAddress: createAddressRecorder(config.records.clientAddress, config.trustProxy),
    },
    limits: {
      limiter,
      addressOf: createAddressReader(config.trustProxy),
      addressRequestsPerMinute: config.addressRequestsPerMinute,
      itemsPerDay: config.itemsPerDay,
    },
    site: {
      publicUrl,
      https,
      operator: config.operator,
      identityProvider: openIdProvider(program),
    },
    lifecycle: {
      draining,
      readiness: findReadiness(core, configured, anchorings),
      degraded: findDegraded(files.uploadSpace, configured, anchorings),
    },
    telemetry: { log, onHandled: telemetry.metrics.requests.handled, trace: telemetry.trace },
    sources: { newId, randomBytes, now },
    webhooks,
  });
  const { host, port } = config;
  const server = await startServer(app, { host, port, log, newId, https }).catch((cause: Error) => {
    const advice = 'set HOST and PORT to what is free on this machine';
    throw new CannotServe(`cannot serve: ${cause.message}; ${advice}`, { cause });
  });
  parts.add('HTTP server', () => server.stop());
  address = addressOf(host, server.port);
  const areStamped = timestamps !== null;
  startSucceeding(program, { db, areStamped, issueCertificate, publicUrl }, locks);
  log.info({ address }, 'listening');
  process.stdout.write(`Proofmark listens on ${address}\n`);
  if (config.databaseUrl === null) await welcome(store, address, config.publicUrl ?? address);
  return address;
}

function openIdProvider({ config: { identityProvider }, telemetry }: Program) {
  if (identityProvider === null) return null;
  const clientSecret = identityProvider.clientSecret?.reveal() ?? null;
  const provider = createOpenIdProvider({ ...identityProvider, clientSecret });
  return countedProvider(provider, signInMetrics(telemetry.metrics.registry));
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Makes certificates on threads of their own; each starts when it is first needed. */
function startCertificates(
  { config, parts, telemetry }: Program,
  signer: CertificateSigner | null,
): CertificateMaker {
  const renderer = createCertificateRenderer({ threads: config.certificateThreads });
  parts.add('certificate renderer', () => renderer.close());
  const maker = createCertificateMaker(renderer, signer);
  return telemetry.trace === null ? maker : traceCertificates(maker, telemetry.trace);
}
