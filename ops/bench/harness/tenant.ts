import type { OrganisationId, WorkspaceId } from '../../../src/domain/ulid.ts';
import type { ServiceProcess } from './programs.ts';

/** An organisation for the benchmark. */
export interface Tenant extends Account {
  readonly organisationId: OrganisationId;
  readonly workspaces: readonly WorkspaceId[];
}

/** Access of an organisation to the API. */
export interface Account {
  readonly address: string;
  readonly key: string;
  /** First workspace. */
  readonly workspace: WorkspaceId;
}

const plenty = ['--requests-per-minute', '100000000', '--requests-per-day', '1000000000'];

/**
 * Opens an organisation with workspaces and a key. Their requests are practically unlimited, unless
 * they have the default limits.
 */
export async function openTenant(
  { address, operate }: ServiceProcess,
  options: {
    readonly scopes?: string;
    readonly agent?: boolean;
    readonly workspaces?: readonly string[];
    readonly hasDefaultLimits?: boolean;
  } = {},
): Promise<Tenant> {
  const { scopes = usualScopes, agent = false, workspaces: names = ['Archive'] } = options;
  const limits = options.hasDefaultLimits ? [] : plenty;
  const create = ['organisation', 'create', '--name', 'Benchmark', '--plan', 'professional'];
  // The operator command prints the id.
  const { organisationId } = (await operate(...create, ...limits)) as unknown as Tenant;
  const of = ['--organisation', organisationId];
  const workspaces: WorkspaceId[] = [];
  for (const name of names) {
    const { _id } = await operate('workspace', 'create', ...of, '--name', name);
    workspaces.push(_id as WorkspaceId);
  }
  const may = ['--scopes', scopes, ...(agent ? ['--agent'] : [])];
  const { key = '' } = await operate('key', 'create', ...of, ...may, ...limits);
  const workspace = workspaces[0] as WorkspaceId;
  return { address, organisationId, key, workspaces, workspace };
}

const usualScopes = 'documents:write,documents:read,certificates:read,webhooks:manage';
