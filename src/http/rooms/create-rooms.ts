import type { DescribedApi } from '../openapi/described-api.ts';
import { createPacedLookUps } from '../proofs/paced-look-ups.ts';
import type { createQuickstart } from '../quickstart/quickstart.ts';
import type { Services } from '../services.ts';
import type { Shared } from './shared.ts';

/** The dependencies of the API's routes, by resource. */
export type Rooms = ReturnType<typeof createRooms>;

/** Texts about all routes. */
export interface Described {
  /** The OpenAPI document of every route. */
  readonly openApi: () => DescribedApi;
  /** The quickstart without its changing members. */
  readonly quickstart: ReturnType<typeof createQuickstart>;
}

/** Gives each resource the dependencies of its routes. */
export function createRooms(services: Services, shared: Shared, described: Described) {
  const { events, sources, webhooks, ledger } = services;
  const { store, db, signal } = events;
  const reading = { store, db, signal };
  const { fileWork } = services.files;
  const { turns, keyUses } = services.calls;
  const { ownAccounts } = ledger;
  const { log } = services.telemetry;
  const { issuer } = services.certification;
  const { publicUrl } = services.site;
  const { draining, readiness, degraded } = services.lifecycle;
  const { ledgers, shares, ledgerAbsence } = shared;
  const { leaves, logKeys } = services.publishedLog;
  const { newId, randomBytes } = sources;
  const { gateways, currentLedgerId, lookUpPace } = ledger;
  const answering = createAnswering(services, shared);
  return {
    proofs: { ...answering, ledgerAbsence, newId, randomBytes },
    documents: createDocuments(services, shared, answering),
    certificates: createCertificates(services),
    links: {
      ...{ ...reading, ...sources, publicUrl, log },
      issueCertificate: services.certification.issueCertificate,
    },
    log: { store, ledgers, publicUrl, ...services.publishedLog, db },
    runs: reading,
    workspaces: reading,
    webhooks: { ...reading, ...sources, webhooks, turns, shares, fileWork },
    keys: { ...reading, ...sources, keyUses, turns },
    verification: {
      ...{ ...reading, publicUrl, log, gateways, ownAccounts, currentLedgerId },
      lookUp: createPacedLookUps(lookUpPace),
    },
    description: { ...described, db, ledgers, ownAccounts, issuer, leaves, logKeys },
    health: { draining, readiness, degraded, log },
  };
}

/** Answers with a proof once it is settled. */
function createAnswering(
  { events: { store, db, watch }, calls, ledger, site, telemetry }: Services,
  { ledgers, settleProof }: Shared,
) {
  return {
    ...{ store, db, watch, ledgers, settleProof, nonces: calls.nonces },
    ...{ network: ledger.network, publicUrl: site.publicUrl, log: telemetry.log },
  };
}

function createDocuments(
  { events: { store, db, signal }, files, calls, site, sources }: Services,
  { ledgers, storedBytes }: Shared,
  answering: ReturnType<typeof createAnswering>,
) {
  const { storage, verification, uploadSpace, defaultStorageAllowance } = files;
  const { turns, proofWaitMs, answerWaitMs } = calls;
  const { newId } = sources;
  return {
    uploads: { store, turns, ...sources, storedBytes, defaultStorageAllowance },
    keeping: { store, storage, verification, newId, uploadSpace },
    ...{ answering, proofWaitMs, answerWaitMs },
    ...{ store, db, signal, storage, ledgers, publicUrl: site.publicUrl },
  };
}

function createCertificates({
  events: { store },
  files,
  certification,
  calls,
  site,
  telemetry,
}: Services) {
  const { storage, fileWork } = files;
  const { certificates, issueCertificate } = certification;
  return {
    ...{ store, storage, fileWork, certificates, turns: calls.turns, issueCertificate },
    ...{ publicUrl: site.publicUrl, log: telemetry.log },
  };
}
