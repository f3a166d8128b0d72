import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { createKeyCount } from '../session/key-count.ts';
import type { OperatorSession } from '../session/operator-session.ts';

const limits = { requestsPerMinute: 100_000_000, requestsPerDay: 1_000_000_000 } as const;

/** Opens an organisation with a workspace and a key with practically unlimited requests. */
export async function openAccount(
  session: OperatorSession,
): Promise<{ readonly key: string; readonly workspace: string }> {
  const { meta } = session;
  const opened = { name: 'Crash', plan: 'professional', ...limits } as const;
  const organisationId = await openOrganisation(session, opened, meta);
  const workspace = await createWorkspace(session, { organisationId, name: 'Archive' }, meta);
  const order = {
    organisationId,
    name: 'Callers',
    scopes: ['documents:write', 'documents:read'],
    agent: false,
    expiresAt: null,
    issuedBy: null,
    ...limits,
  } as const;
  const { key } = await issueKey(
    { ...session, turns: createTurns(), countKeys: createKeyCount(session) },
    order,
    meta,
  );
  await session.settle();
  return { key, workspace };
}
