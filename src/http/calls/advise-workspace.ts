import type { KeyAccess } from '../../../projections/access/query.ts';
import { queryWorkspaces } from '../../../projections/workspaces/query.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';
import { OffloadRefused } from '../offload/offload-refused.ts';

/**
 * Completes a refusal with INVALID_WORKSPACE, for keys that may not list workspaces: names the
 * organisation's only workspace, or says who knows the id. Returns any other error unchanged.
 */
export async function adviseWorkspace(
  error: unknown,
  deps: ReadDeps,
  { organisationId, scopes }: Pick<KeyAccess, 'organisationId' | 'scopes'>,
): Promise<unknown> {
  const message = workspaceFault(error);
  if (message === null) return error;
  // The refusal is right without the advice too.
  const workspaces = await listWorkspaces(deps, organisationId).catch(() => []);
  const [only, second] = workspaces;
  const say = (advice: string) =>
    new Refusal('INVALID_WORKSPACE', `${message}; ${advice}`, { cause: error });
  if (only && !second) return say(`the only workspace of this organisation is ${only._id}`);
  if (scopes.includes('workspaces:read')) return error;
  return say('this key may not list workspaces: ask the account owner for the id');
}

/** Message of a refusal with INVALID_WORKSPACE, on this thread or another; null for other errors. */
function workspaceFault(error: unknown): string | null {
  if (error instanceof OffloadRefused) {
    const { code, message } = error.reply.body;
    return code === 'INVALID_WORKSPACE' ? message : null;
  }
  return error instanceof Refusal && error.code === 'INVALID_WORKSPACE' ? error.message : null;
}

async function listWorkspaces({ db, store, signal }: ReadDeps, organisationId: OrganisationId) {
  const position = await store.lastPositionOf(organisationId);
  await awaitPosition(db, 'workspaces', position, { signal, timeoutMs });
  return queryWorkspaces(db, organisationId);
}

/** Maximum wait for the read model. */
const timeoutMs = 1_000;
