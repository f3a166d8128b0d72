import { randomBytes } from 'node:crypto';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { fatRun, runBodies } from './hostile-bodies.ts';
import type { HostileBelongings } from './hostile-calls.ts';
import { HostileClient, type Sent } from './hostile-client.ts';
import { fillDirectly } from './listing-fill.ts';
import { postAll } from './served-certificates.ts';
import type { ServiceProcess } from './service-process.ts';

const plenty = ['--requests-per-minute', '100000000', '--requests-per-day', '1000000000'];
const reading = 'documents:read,documents:write,certificates:read,workspaces:read';
const everything = `${reading},webhooks:manage,api-keys:manage`;

/** An organisation with a workspace and a key. */
interface Tenant {
  readonly organisationId: OrganisationId;
  readonly workspace: WorkspaceId;
  /** Its limits are never reached. */
  readonly key: string;
}

export interface Victim extends Tenant {
  readonly proofIds: readonly string[];
}

export interface Hostile extends Tenant {
  /** A key with the default limits. */
  readonly limitedKey: string;
  readonly belongings: HostileBelongings;
}

/** A tenant with 200 anchored proofs. */
export async function openVictim(service: ServiceProcess): Promise<Victim> {
  const tenant = await openTenant(service);
  const account = { address: service.address, ...tenant };
  const proofIds = await postAll(account, 200, (index) => `contract ${index}.pdf`);
  return { ...tenant, proofIds };
}

/** A tenant whose data makes its calls expensive. `endpoint` is a URL that never answers. */
export async function openHostile(
  service: ServiceProcess,
  { dataDir, documents, endpoint }: { dataDir: string; documents: number; endpoint: string },
): Promise<Hostile> {
  const tenant = await openTenant(service);
  const { organisationId, workspace, key } = tenant;
  const { address } = service;
  const proofIds = await postAll({ address, ...tenant }, 300, (index) => `hostile ${index}.pdf`);
  await fill(dataDir, tenant, documents);
  const client = new HostileClient({ address, key });
  const post = async (path: string, body: Buffer, headers = {}) => {
    const sent: Sent = { method: 'POST', path, body, headers };
    const status = await client.send(sent);
    if (status >= 300) throw new Error(`POST ${path}: ${status}`);
  };
  const largest = Array.from({ length: 4 }, (_, n) => runBodies['large numbers'](`large ${n}`));
  for (const body of largest) await post('/agent/runs', body);
  for (let n = 0; n < 100; n += 1) await post('/agent/runs', fatRun(`fat ${n}`));
  client.close();
  const { documentId } = await upload(address, tenant);
  const { id: webhookId } = await ask(address, key, '/webhooks', {
    url: endpoint,
    events: ['agent.run.recorded'],
  });
  const of = ['--organisation', organisationId, '--scopes', everything];
  const { key: limitedKey = '' } = await service.operate('key', 'create', ...of);
  const belongings = { workspace, proofIds, largeRun: 'large 0', documentId, webhookId, documents };
  return { ...tenant, limitedKey, belongings };
}

async function openTenant({ operate }: ServiceProcess): Promise<Tenant> {
  const create = ['organisation', 'create', '--name', 'Benchmark', '--plan', 'professional'];
  const { organisationId } = await operate(...create, ...plenty);
  const of = ['--organisation', organisationId as string];
  const { _id: workspace } = await operate('workspace', 'create', ...of, '--name', 'Archive');
  const { key = '' } = await operate('key', 'create', ...of, '--scopes', everything, ...plenty);
  // The operator's command prints ULIDs.
  return { organisationId, workspace, key } as Tenant;
}

/** Fills the read model of documents directly, without events. */
async function fill(dataDir: string, { organisationId, workspace }: Tenant, documents: number) {
  const found = await findEmbeddedPostgres({ dataDir });
  if (found === null) throw new Error(`no PostgreSQL runs in ${dataDir}`);
  const { db, pool, close } = openDatabase(found.url, { maxConnections: 2 });
  const organisation = { organisationId, workspaceIds: [workspace] };
  await fillDirectly({ db, organisation, documents, seed: 3 });
  await pool.query('VACUUM ANALYZE');
  await close();
}

async function upload(address: string, { key, workspace }: Tenant) {
  const body = new FormData();
  body.set('workspace', workspace);
  body.set('file', new Blob([randomBytes(1_000)]), 'a.bin');
  return answer(address, key, '/documents', { body });
}

function ask(address: string, key: string, path: string, json: object) {
  const headers = { 'content-type': 'application/json' };
  return answer(address, key, path, { headers, body: JSON.stringify(json) });
}

async function answer(
  address: string,
  key: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body: FormData | string },
): Promise<Readonly<Record<string, string>> & { documentId: string; id: string }> {
  const authorization = `Bearer ${key}`;
  const url = `${address}/api/v1${path}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, ...headers },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
  return JSON.parse(text).data;
}
