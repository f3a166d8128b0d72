import { getBundle } from './certificates/get-bundle.ts';
import { getCertificate } from './certificates/get-certificate.ts';
import { listCertificates } from './certificates/list-certificates.ts';
import { getDocument } from './documents/get-document.ts';
import { getDocumentFile } from './documents/get-document-file.ts';
import { listDocuments } from './documents/list-documents.ts';
import { listVersions } from './documents/list-versions.ts';
import { postDocument } from './documents/post-document.ts';
import { postVersion } from './documents/post-version.ts';
import { listIssuerKeys } from './issuer/list-issuer-keys.ts';
import { deleteApiKey } from './keys/delete-api-key.ts';
import { listApiKeys } from './keys/list-api-keys.ts';
import { postApiKey } from './keys/post-api-key.ts';
import { deleteLink } from './links/delete-link.ts';
import { listLinks } from './links/list-links.ts';
import { postLink } from './links/post-link.ts';
import { getInclusion } from './log/get-inclusion.ts';
import { getLogCertificate } from './log/get-log-certificate.ts';
import { getLogCheckpoint } from './log/get-log-checkpoint.ts';
import { getLogLeaf } from './log/get-log-leaf.ts';
import { getLogProof } from './log/get-log-proof.ts';
import { getLogTile } from './log/get-log-tile.ts';
import { getTimestamp } from './log/get-timestamp.ts';
import { listLogCheckpoints } from './log/list-log-checkpoints.ts';
import { listLogVerifiers } from './log/list-log-verifiers.ts';
import { getOpenApi } from './openapi/get-openapi.ts';
import type { Routes } from './openapi/openapi-document.ts';
import {
  homePage,
  logPage,
  referencePage,
  verifyPage,
  verifyTransactionPage,
} from './pages/html-pages.ts';
import {
  pageAsset,
  pageLibrary,
  pageModule,
  serverWorker,
  verifierProgram,
} from './pages/page-asset.ts';
import type { PageRoute } from './pages/run-page.ts';
import { sharedBadge, sharedProofBundle, sharedProofPage } from './pages/shared-pages.ts';
import { getProof } from './proofs/get-proof.ts';
import { getXpop } from './proofs/get-xpop.ts';
import { postBatch } from './proofs/post-batch.ts';
import { postLookup } from './proofs/post-lookup.ts';
import { postProof } from './proofs/post-proof.ts';
import { verifyTransaction } from './proofs/verify-transaction.ts';
import { getDocs } from './quickstart/get-docs.ts';
import type { Rooms } from './rooms/create-rooms.ts';
import { type InRoom, routesOf } from './rooms/routes-of.ts';
import type { CallersRoute, OpenRoute, Route } from './route.ts';
import { getDecisionProof } from './runs/get-decision-proof.ts';
import { getRun } from './runs/get-run.ts';
import { getRunStatement } from './runs/get-run-statement.ts';
import { listDecisions } from './runs/list-decisions.ts';
import { listRuns } from './runs/list-runs.ts';
import { postRun } from './runs/post-run.ts';
import { healthz } from './service/healthz.ts';
import { readyz } from './service/readyz.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { listDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { patchWebhook } from './webhooks/patch-webhook.ts';
import { postWebhook } from './webhooks/post-webhook.ts';
import { retryDelivery } from './webhooks/retry-delivery.ts';
import { retryFailedDeliveries } from './webhooks/retry-failed.ts';
import { rotateSecret } from './webhooks/rotate-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';
import { listWorkspaces } from './workspaces/list-workspaces.ts';

const of = routesOf<Rooms>();

/** Every endpoint that needs a key; served under both bases. */
export const keyedRoutes: readonly InRoom<CallersRoute, keyof Rooms>[] = [
  ...of('proofs', postProof, postBatch, postLookup, getProof),
  ...of('workspaces', listWorkspaces),
  ...of('documents', postDocument, postVersion, listDocuments, getDocument),
  ...of('documents', getDocumentFile, listVersions),
  ...of('certificates', getCertificate, getBundle),
  ...of('proofs', getXpop),
  ...of('certificates', listCertificates),
  ...of('links', postLink, listLinks, deleteLink),
  ...of('log', getInclusion, getTimestamp),
  ...of('runs', postRun, listRuns, getRun, getRunStatement, getDecisionProof, listDecisions),
  ...of('webhooks', listWebhooks, postWebhook, patchWebhook, deleteWebhook, rotateSecret),
  ...of('webhooks', testWebhook, listDeliveries, retryDelivery, retryFailedDeliveries),
  ...of('keys', listApiKeys, postApiKey, deleteApiKey),
];

/** Every endpoint without a key that is served under both bases. */
export const openBasedRoutes: readonly InRoom<OpenRoute, keyof Rooms>[] = [
  ...of('description', getDocs, getOpenApi, listIssuerKeys),
];

/** Every other endpoint without a key, served from the root. */
export const openRoutes: readonly InRoom<OpenRoute, keyof Rooms>[] = [
  ...of('verification', verifyTransaction),
  ...of('log', getLogCheckpoint, listLogCheckpoints, listLogVerifiers, getLogLeaf, getLogProof),
  ...of('log', getLogCertificate, getLogTile),
  ...of('health', healthz, readyz),
];

/** The second base is open to pages of any origin. */
export const routes: Routes<InRoom<Route, keyof Rooms>> = {
  bases: ['/api/v1', '/api/public/v1'],
  based: [...keyedRoutes, ...openBasedRoutes],
  root: openRoutes,
};

/** Pages for browsers; no part of the API. */
export const pageRoutes: readonly PageRoute[] = [
  homePage,
  verifyPage,
  verifyTransactionPage,
  referencePage,
  logPage,
  sharedProofPage,
  sharedBadge,
  sharedProofBundle,
  verifierProgram,
  serverWorker,
  pageAsset,
  pageLibrary,
  pageModule,
];
