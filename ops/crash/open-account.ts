import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { createKeyCount } from '../session/key-count.ts';
import type { OperatorSession } from '../session/operator-session.ts';

const limits = { requestsPerMinute: 100_000_000, requestsPerDay: 1_000_000_000 } as const;

/** An organisation with workspaces and keys. */
export interface OpenedOrganisation {
  readonly organisationId: string;
  readonly workspaces: readonly string[];
  readonly keys: readonly string[];
}

/** Opens an organisation with a workspace and a key with practically unlimited requests. */
export async function openAccount(
  session: OperatorSession,
): Promise<{ readonly key: string; readonly workspace: string }> {
  const { keys, workspaces } = await openWith(session, { workspaceCount: 1, keyCount: 1 });
  const [key = ''] = keys;
  const [workspace = ''] = workspaces;
  return { key, workspace };
}

/** As `openAccount`, with so many workspaces and keys. */
export async function openWith(
  session: OperatorSession,
  { workspaceCount, keyCount }: { readonly workspaceCount: number; readonly keyCount: number },
): Promise<OpenedOrganisation> {
  const { meta } = session;
  const opened = { name: 'Crash', plan: 'professional', ...limits } as const;
  const organisationId = await openOrganisation(session, opened, meta);
  const workspaces: string[] = [];
  while (workspaces.length < workspaceCount) {
    const order = { organisationId, name: `Archive ${workspaces.length + 1}` };
    workspaces.push(await createWorkspace(session, order, meta));
  }
  const order = {
    organisationId,
    name: 'Callers',
    scopes: ['documents:write', 'documents:read'],
    agent: false,
    expiresAt: null,
    issuedBy: null,
    ...limits,
  } as const;
  const deps = { ...session, turns: createTurns(), countKeys: createKeyCount(session) };
  const keys: string[] = [];
  while (keys.length < keyCount) keys.push((await issueKey(deps, order, meta)).key);
  await session.settle();
  return { organisationId, workspaces, keys };
}
