import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../../src/event-store/database.ts';
import { callApi, keepAliveAgent, postAll } from '../harness/calls.ts';
import type { ServiceProcess } from '../harness/programs.ts';
import { openTenant, type Tenant } from '../harness/tenant.ts';
import { fillDocuments } from '../samples/fill-documents.ts';
import { fatRun, runBodies } from './bodies.ts';
import type { HostileBelongings } from './calls.ts';

const reading = 'documents:read,documents:write,certificates:read,workspaces:read';
const everything = `${reading},webhooks:manage,api-keys:manage`;

export interface Victim extends Tenant {
  readonly proofIds: readonly string[];
}

export interface Hostile {
  /** A key of the organisation with the default limits. */
  readonly limitedKey: string;
  readonly belongings: HostileBelongings;
}

/** Opens a tenant with 200 anchored proofs. */
export async function openVictim(service: ServiceProcess): Promise<Victim> {
  const tenant = await openTenant(service, { scopes: everything });
  const proofIds = await postAll(tenant, 200, (index) => `contract ${index}.pdf`);
  return { ...tenant, proofIds };
}

/**
 * Opens a tenant with data that makes its calls expensive. `endpoint` is a URL that never answers.
 */
export async function openHostile(
  service: ServiceProcess,
  { documents, endpoint }: { readonly documents: number; readonly endpoint: string },
): Promise<Hostile> {
  const tenant = await openTenant(service, { scopes: everything });
  const { organisationId, workspace } = tenant;
  const proofIds = await postAll(tenant, 300, (index) => `hostile ${index}.pdf`);
  await fill(service.postgres.url, tenant, documents);
  const agent = keepAliveAgent(1);
  const post = async (path: string, json: string) => {
    const { status, text } = await callApi(agent, tenant, path, json);
    if (status >= 300 || status === 0) throw new Error(`POST ${path}: ${status} ${text}`);
    return JSON.parse(text).data;
  };
  const largest = Array.from({ length: 4 }, (_, n) => runBodies['large numbers'](`large ${n}`));
  const fat = Array.from({ length: 100 }, (_, n) => fatRun(`fat ${n}`));
  for (const body of [...largest, ...fat]) await post('/agent/runs', body.toString());
  const endpoints = { url: endpoint, events: ['agent.run.recorded'] };
  const { id: webhookId } = await post('/webhooks', JSON.stringify(endpoints));
  agent.destroy();
  const documentId = await upload(tenant);
  const of = ['--organisation', organisationId, '--scopes', everything];
  const { key: limitedKey = '' } = await service.operate('key', 'create', ...of);
  const belongings = { workspace, proofIds, largeRun: 'large 0', documentId, webhookId, documents };
  return { limitedKey, belongings };
}

/** Fills the read model of documents directly, without events. */
async function fill(url: string, { organisationId, workspaces }: Tenant, documents: number) {
  const { db, pool, close } = openDatabase(url, { maxConnections: 2 });
  const organisation = { organisationId, workspaceIds: workspaces };
  await fillDocuments({ db, organisation, documents, seed: 3 });
  await pool.query('VACUUM ANALYZE');
  await close();
}

/** Uploads a small document and returns its id. */
async function upload({ address, key, workspace }: Tenant): Promise<string> {
  const body = new FormData();
  body.set('workspace', workspace);
  body.set('file', new Blob([randomBytes(1_000)]), 'a.bin');
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${address}/api/v1/documents`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST /documents: ${response.status} ${text}`);
  return JSON.parse(text).data.documentId;
}
