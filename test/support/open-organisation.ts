import { createKeyCount } from '../../ops/session/key-count.ts';
import { openOperatorSession } from '../../ops/session/operator-session.ts';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation as open } from '../../src/commands/open-organisation.ts';
import { loadConfig } from '../../src/config.ts';
import type { Scope } from '../../src/domain/key/scope.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import type { Caller } from './api-client.ts';

const limits = { requestsPerMinute: 100_000, requestsPerDay: 1_000_000 } as const;

/**
 * Opens an organisation with a workspace and a key that has no request limits in practice. It does the same
 * as the operator's commands, without a process for each.
 */
export async function openOrganisation(
  env: Readonly<Record<string, string>>,
  scopes: readonly Scope[] = [
    'documents:write',
    'documents:read',
    'workspaces:read',
    'certificates:read',
  ],
): Promise<Omit<Caller, 'address'> & { readonly organisationId: string }> {
  const session = await openOperatorSession(loadConfig(env));
  try {
    const { meta } = session;
    const organisationId = await open(session, { name: 'Acme', plan: 'professional' }, meta);
    const workspace = await createWorkspace(session, { organisationId, name: 'Archive' }, meta);
    const order = {
      organisationId,
      name: null,
      scopes,
      agent: false,
      expiresAt: null,
      issuedBy: null,
      ...limits,
    } as const;
    const deps = { ...session, turns: createTurns(), countKeys: createKeyCount(session) };
    const { key } = await issueKey(deps, order, meta);
    await session.settle();
    return { organisationId, workspace, key };
  } finally {
    await session.close();
  }
}
