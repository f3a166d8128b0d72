import { type Scope, scopes } from '../domain/key/scope.ts';
import type { OrganisationId, WorkspaceId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { createTurns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { createWorkspace } from './create-workspace.ts';
import { invitePerson } from './invite-person.ts';
import { issueKey } from './issue-key.ts';
import { openOrganisation } from './open-organisation.ts';

/** Objects created by a first start. `key` and `invitation` are shown once and are nowhere else. */
interface FirstOrganisation {
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
  /** Invitation of an owner to the console. */
  readonly invitation: string;
  readonly key: string;
}

const firstKeyScopes: readonly Scope[] = scopes;

/**
 * Opens an organisation with a workspace, an invited owner and a key of all scopes, if the service has
 * never issued a key. Returns null if it has. After an interrupted first start it creates all of them
 * anew, and the earlier ones stay unused: the key comes last, so that it can be shown at once.
 */
export async function openFirstOrganisation(
  deps: {
    readonly store: EventStore;
    readonly newId: () => string;
    readonly randomBytes: (count: number) => Buffer;
    readonly now: () => Date;
  },
  meta: EventMeta,
): Promise<FirstOrganisation | null> {
  const issued = await deps.store.readLog(0, 1, ['KeyIssued']);
  if (issued.length > 0) return null;
  const plan = 'professional';
  const organisationId = await openOrganisation(deps, { name: 'First organisation', plan }, meta);
  const workspace = { organisationId, name: 'First workspace' };
  const workspaceId = await createWorkspace(deps, workspace, meta);
  const owner = { organisationId, role: 'owner', email: 'owner@localhost' } as const;
  const { invitation } = await invitePerson(deps, owner, meta);
  const order = {
    organisationId,
    name: 'First key',
    scopes: firstKeyScopes,
    agent: false,
    expiresAt: null,
    requestsPerMinute: null,
    requestsPerDay: null,
    issuedBy: null,
  };
  // A new organisation has no other key.
  const countKeys = async () => 0;
  const { key } = await issueKey({ ...deps, turns: createTurns(), countKeys }, order, meta);
  return { organisationId, workspaceId, invitation, key };
}
