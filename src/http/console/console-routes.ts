import type { ConsoleRoute } from './console-route.ts';
import { joinOptionsRoute, joinPage, joinRoute } from './entry/join.ts';
import { homeRoute, signInOptionsRoute, signInRoute } from './entry/sign-in.ts';
import { signOutEverywhereRoute, signOutRoute } from './entry/sign-out.ts';
import { createKeyRoute, newKeyPage } from './keys/create-key.ts';
import { keysPage } from './keys/list-keys.ts';
import { confirmRevocationPage, revokeKeyRoute } from './keys/revoke-key.ts';
import { changeRoleRoute, confirmRemovalPage, removePersonRoute } from './people/change-people.ts';
import { inviteRoute, reinviteRoute } from './people/invite.ts';
import { peoplePage } from './people/people-page.ts';
import { usagePage } from './usage/usage-page.ts';
import { renamePage, renameRoute } from './workspaces/rename-workspace.ts';
import { createWorkspaceRoute, workspacesPage } from './workspaces/workspaces-page.ts';

/** Keeps the routes, and asks for all that they need together. */
function list<Deps>(...routes: readonly ConsoleRoute<Deps>[]): readonly ConsoleRoute<Deps>[] {
  return routes;
}

/** Every page, form and call of the console. */
export const consoleRoutes = [
  ...list(homeRoute, joinPage, newKeyPage),
  ...list(signInOptionsRoute, signInRoute, joinOptionsRoute, joinRoute),
  ...list(signOutRoute, signOutEverywhereRoute),
  ...list(keysPage, createKeyRoute, confirmRevocationPage, revokeKeyRoute),
  ...list(workspacesPage, createWorkspaceRoute, renamePage, renameRoute),
  ...list(usagePage),
  ...list(peoplePage, inviteRoute, reinviteRoute, changeRoleRoute),
  ...list(confirmRemovalPage, removePersonRoute),
] as const;
