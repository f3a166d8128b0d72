import type { ConsoleRooms } from '../rooms/create-console-rooms.ts';
import { type InRoom, routesOf } from '../rooms/routes-of.ts';
import { accountPage } from './account/account-page.ts';
import type { ConsoleRoute } from './console-route.ts';
import { createLinkRoute } from './documents/create-link.ts';
import { documentPage } from './documents/document-page.ts';
import { documentsPage } from './documents/documents-page.ts';
import { bundleDownload, certificateDownload, fileDownload } from './documents/downloads.ts';
import { issueCertificateRoute } from './documents/issue-certificate.ts';
import { confirmWithdrawalPage, withdrawLinkRoute } from './documents/withdraw-link.ts';
import { joinOptionsRoute, joinPage, joinRoute } from './entry/join.ts';
import { homeRoute, signInOptionsRoute, signInRoute } from './entry/sign-in.ts';
import { signOutEverywhereRoute, signOutRoute } from './entry/sign-out.ts';
import { createKeyRoute, newKeyPage } from './keys/create-key.ts';
import { keysPage } from './keys/list-keys.ts';
import { confirmRevocationPage, revokeKeyRoute } from './keys/revoke-key.ts';
import { liveRoute } from './live/live-route.ts';
import { beginSignInRoute } from './oidc/begin-sign-in.ts';
import { chooseRoute } from './oidc/choose-organisation.ts';
import { endSignInRoute } from './oidc/end-sign-in.ts';
import { changeRoleRoute, confirmRemovalPage, removePersonRoute } from './people/change-people.ts';
import { inviteRoute, reinviteRoute } from './people/invite.ts';
import { peoplePage } from './people/people-page.ts';
import { proveFileRoute } from './prove/prove-file.ts';
import { proofCertificateRoute, proveHashesRoute } from './prove/prove-hashes.ts';
import { provePage } from './prove/prove-page.ts';
import { decisionsPage } from './runs/decisions-page.ts';
import { runPage } from './runs/run-page.ts';
import { runsPage } from './runs/runs-page.ts';
import { usagePage } from './usage/usage-page.ts';
import { changeWebhookPage, changeWebhookRoute } from './webhooks/change-webhook.ts';
import { createWebhookRoute, newWebhookPage } from './webhooks/create-webhook.ts';
import { confirmDeletionPage, deleteWebhookRoute } from './webhooks/delete-webhook.ts';
import { rotateSecretPage, rotateSecretRoute } from './webhooks/rotate-secret.ts';
import {
  retryDeliveryRoute,
  retryFailedRoute,
  switchWebhookRoute,
  testWebhookRoute,
} from './webhooks/use-webhook.ts';
import { webhookPage } from './webhooks/webhook-page.ts';
import { webhooksPage } from './webhooks/webhooks-page.ts';
import { renamePage, renameRoute } from './workspaces/rename-workspace.ts';
import { createWorkspaceRoute, workspacesPage } from './workspaces/workspaces-page.ts';

const of = routesOf<ConsoleRooms>();

/** Every page, form and call of the console. */
export const consoleRoutes: readonly InRoom<ConsoleRoute, keyof ConsoleRooms>[] = [
  ...of(
    'entry',
    homeRoute,
    joinPage,
    signInOptionsRoute,
    signInRoute,
    joinOptionsRoute,
    joinRoute,
    beginSignInRoute,
    endSignInRoute,
    chooseRoute,
    signOutRoute,
    signOutEverywhereRoute,
  ),
  ...of('keys', keysPage, newKeyPage, createKeyRoute, confirmRevocationPage, revokeKeyRoute),
  ...of('workspaces', workspacesPage, createWorkspaceRoute, renamePage, renameRoute),
  ...of('proving', provePage, proveHashesRoute, proveFileRoute, proofCertificateRoute),
  ...of('usage', usagePage),
  ...of('live', liveRoute),
  ...of(
    'documents',
    documentsPage,
    documentPage,
    fileDownload,
    certificateDownload,
    bundleDownload,
    issueCertificateRoute,
    createLinkRoute,
    confirmWithdrawalPage,
    withdrawLinkRoute,
  ),
  ...of(
    'webhooks',
    webhooksPage,
    newWebhookPage,
    createWebhookRoute,
    webhookPage,
    changeWebhookPage,
    changeWebhookRoute,
    switchWebhookRoute,
    testWebhookRoute,
    retryDeliveryRoute,
    retryFailedRoute,
    rotateSecretPage,
    rotateSecretRoute,
    confirmDeletionPage,
    deleteWebhookRoute,
  ),
  ...of('runs', runsPage, runPage, decisionsPage),
  ...of('account', accountPage),
  ...of(
    'people',
    peoplePage,
    inviteRoute,
    reinviteRoute,
    changeRoleRoute,
    confirmRemovalPage,
    removePersonRoute,
  ),
];
