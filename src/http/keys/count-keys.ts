import { countLiveKeys } from '../../../projections/access/list-keys.ts';
import type { CountKeys, IssueDeps } from '../../commands/issue-key.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { awaitKeys } from './api-key-view.ts';

/** Counts keys in the read model, once it includes the organisation's latest change. */
export function createKeyCount(deps: ReadDeps & Pick<IssueDeps, 'now'>): CountKeys {
  return async (organisationId) => {
    await awaitKeys(deps, organisationId);
    return countLiveKeys(deps.db, organisationId, deps.now());
  };
}
