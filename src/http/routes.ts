import { getBundle } from './certificates/get-bundle.ts';
import { getCertificate } from './certificates/get-certificate.ts';
import { listCertificates } from './certificates/list-certificates.ts';
import type { ConsoleRoute } from './console/console-route.ts';
import { consoleRoutes } from './console/console-routes.ts';
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
import type { CallersRoute, OpenRoute } from './route.ts';
import type { RouteDeps } from './route-deps.ts';
import { routesWith } from './routes-with.ts';
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

const list = routesWith<RouteDeps>();

/** Every endpoint that needs a key; served under both bases. */
export const keyedRoutes: readonly CallersRoute<RouteDeps>[] = list(
  postProof,
  postBatch,
  postLookup,
  getProof,
  listWorkspaces,
  postDocument,
  postVersion,
  listDocuments,
  getDocument,
  getDocumentFile,
  listVersions,
  getCertificate,
  getBundle,
  getXpop,
  listCertificates,
  postLink,
  listLinks,
  deleteLink,
  getInclusion,
  getTimestamp,
  postRun,
  listRuns,
  getRun,
  getRunStatement,
  getDecisionProof,
  listDecisions,
  listWebhooks,
  postWebhook,
  patchWebhook,
  deleteWebhook,
  rotateSecret,
  testWebhook,
  listDeliveries,
  retryDelivery,
  retryFailedDeliveries,
  listApiKeys,
  postApiKey,
  deleteApiKey,
);

/** Every endpoint without a key that is served under both bases. */
export const openBasedRoutes: readonly OpenRoute<unknown, unknown, RouteDeps>[] = list(
  getDocs,
  getOpenApi,
  listIssuerKeys,
);

/** Every other endpoint without a key, served from the root. */
export const openRoutes: readonly OpenRoute<unknown, unknown, RouteDeps>[] = list(
  verifyTransaction,
  getLogCheckpoint,
  listLogCheckpoints,
  listLogVerifiers,
  getLogLeaf,
  getLogProof,
  getLogCertificate,
  getLogTile,
  healthz,
  readyz,
);

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

/** The console of account owners; no part of the API. */
export const consolePages: readonly ConsoleRoute<RouteDeps>[] = list(...consoleRoutes);
