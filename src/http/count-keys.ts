import { countLiveKeys } from '../../projections/access/list-keys.ts';
import type { CountKeys } from '../commands/issue-key.ts';
import { awaitKeys } from './api-key-view.ts';
import type { RouteDeps } from './route-deps.ts';

/** Counts keys in the read model, once it holds the organisation's latest change. */
export function createKeyCount(
  deps: Pick<RouteDeps, 'db' | 'store' | 'signal' | 'now'>,
): CountKeys {
  return async (organisationId) => {
    await awaitKeys(deps, organisationId);
    return countLiveKeys(deps.db, organisationId, deps.now());
  };
}
