import type { KeyedRoute, OffloadedRoute, OpenRoute, UploadRoute } from '../route.ts';
import type { PageRoute } from '../run-page.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getBundle } from './get-bundle.ts';
import { getCertificate } from './get-certificate.ts';
import { getDocs } from './get-docs.ts';
import { getDocument } from './get-document.ts';
import { getDocumentFile } from './get-document-file.ts';
import { getInclusion } from './get-inclusion.ts';
import { getLogCheckpoint } from './get-log-checkpoint.ts';
import { getLogTile } from './get-log-tile.ts';
import { getOpenApi } from './get-openapi.ts';
import { getProof } from './get-proof.ts';
import { getRun } from './get-run.ts';
import { healthz } from './healthz.ts';
import { homePage } from './home-page.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listDecisions } from './list-decisions.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listDocuments } from './list-documents.ts';
import { listRuns } from './list-runs.ts';
import { listVersions } from './list-versions.ts';
import { listWebhooks } from './list-webhooks.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { pageAsset, pageLibrary, pageModule } from './page-asset.ts';
import { patchWebhook } from './patch-webhook.ts';
import { postApiKey } from './post-api-key.ts';
import { postDocument } from './post-document.ts';
import { postProof } from './post-proof.ts';
import { postRun } from './post-run.ts';
import { postVersion } from './post-version.ts';
import { postWebhook } from './post-webhook.ts';
import { readyz } from './readyz.ts';
import { referencePage } from './reference-page.ts';
import { retryDelivery } from './retry-delivery.ts';
import { rotateSecret } from './rotate-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { verifyPage, verifyPageSlash, verifyTransactionPage } from './verify-page.ts';
import { verifyTransaction } from './verify-transaction.ts';

/** Every endpoint that needs a key; served under both bases. */
export const keyedRoutes: readonly (KeyedRoute | OffloadedRoute | UploadRoute)[] = [
  postProof,
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
  getInclusion,
  postRun,
  listRuns,
  getRun,
  listDecisions,
  listWebhooks,
  postWebhook,
  patchWebhook,
  deleteWebhook,
  rotateSecret,
  testWebhook,
  listDeliveries,
  retryDelivery,
  listApiKeys,
  postApiKey,
  deleteApiKey,
];

/** Every endpoint that needs none but is served under both bases, too. */
export const openBasedRoutes: readonly OpenRoute[] = [getDocs, getOpenApi];

/** Every other endpoint that needs none, from the root. */
export const openRoutes: readonly OpenRoute[] = [
  verifyTransaction,
  getLogCheckpoint,
  getLogTile,
  healthz,
  readyz,
];

/** What people see in a browser; no part of the API. */
export const pageRoutes: readonly PageRoute[] = [
  homePage,
  verifyPage,
  verifyPageSlash,
  verifyTransactionPage,
  referencePage,
  pageAsset,
  pageLibrary,
  pageModule,
];
