import { randomBytes } from 'node:crypto';
import tap, { type Test } from 'tap';
import { projections } from '../../projections/registry.ts';
import type { EventMeta } from '../../src/event-store/stored-event.ts';
import { enqueuing } from '../../src/reactors/webhooks/enqueuing.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { startDocumentService } from './document-service.ts';
import { openTestStore } from './event-store.ts';
import { sha256, someText } from './forms.ts';
import type { ServiceChanges, TestOrganisation } from './http-service.ts';
import { sharedRenderer } from './shared-renderer.ts';

const { newMaker } = sharedRenderer(tap);

/** Values, by name, with which an attacker tries to find an organisation. */
export type Dictionary = Readonly<Record<string, string>>;

export interface Filled {
  readonly dictionary: Dictionary;
  /** Transaction hashes of a salted proof and of a plain one. */
  readonly salted: string;
  readonly plain: string;
}

/** Name of the operator who works beside the service. */
export const operatorOfSite = 'Ophelia Operator';

/** Starts a service with a second process on its database, as the operator's program is one. */
export async function createErasureSite(
  t: Test,
  options: {
    readonly objects?: ObjectStorage;
    readonly masterKey?: Buffer;
    readonly services?: ServiceChanges;
  } = {},
) {
  const certification = { certificates: newMaker() };
  const services = { certification, ...options.services };
  const site = await startDocumentService(t, { ...options, services });
  const { service } = site;
  // The operator's program has its own connections, as another process.
  const beside = openTestStore(t, service.databaseUrl, {
    maxConnections: 4,
    masterKey: service.masterKey,
  });
  const { db, store, pool, keyring } = beside;
  const now = () => new Date();
  const meta: EventMeta = { actor: 'operator', operator: operatorOfSite };
  const session = { store, db, pool, now, keyring, meta };
  const settle = async () =>
    catchUp({
      ...{ db, store, projections: [...projections, enqueuing({ store, now })] },
      position: await store.head(),
    });
  return { ...site, beside, session, settle, fill: (of: TestOrganisation) => fill(site, of) };
}

export type ErasureSite = Awaited<ReturnType<typeof createErasureSite>>;

/** Fills every field that holds confidential values; returns all these values. */
async function fill(
  { service }: Awaited<ReturnType<typeof startDocumentService>>,
  { organisationId, workspaceId: workspace, key }: TestOrganisation,
): Promise<Filled> {
  const mark = randomBytes(6).toString('hex');
  const agent = await service.issueKey(organisationId, { agent: true });
  const call = async (method: string, path: string, json?: unknown, as = key) => {
    const answer = await service.call(method, path, { key: as, ...(json ? { json } : {}) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  };
  const send = async (path: string, fields: Record<string, string>, name: string, text: Buffer) => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    body.append('file', new Blob([new Uint8Array(text)]), name);
    const answer = await service.call('POST', path, { key: agent, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body.data;
  };
  const [runId, objective] = [`run ${mark}`, `objective ${mark}`];
  const agentClassification = JSON.stringify({ runId, reason: `reason ${mark}` });
  const [first, second, alone] = [someText(), someText(), someText()];
  const described = { description: `description ${mark}`, agentClassification };
  await call('POST', '/proofs/batch', { workspace, items: [{ hash: 'none' }] });
  const stored = await send('/documents', { workspace, ...described }, `name-${mark}.txt`, first);
  await send(`/documents/${stored.documentId}/version`, {}, `revised-${mark}.txt`, second);
  const proven = {
    workspace,
    fileName: `alone-${mark}.pdf`,
    metadata: { description: `of ${mark}` },
  };
  await call('POST', '/proofs', { ...proven, hash: sha256(alone) });
  const plainHash = sha256(someText());
  const plain = { ...proven, hash: plainHash, hashScheme: 'sha256-plain-v1' };
  const { txHash: plainTransaction } = await call('POST', '/proofs', plain);
  const decisions = [
    { subject: `subject ${mark}`, action: `act-${mark}`, fileHash: sha256(first) },
  ];
  const run = { runId, workspace, objective, decisions, anchor: true };
  const { proof: ofRun } = await call('POST', '/agent/runs', run, agent);
  const url = `https://hooks.example/${mark}`;
  const fields = {
    events: ['proof.completed', 'document.created'],
    description: `endpoint ${mark}`,
  };
  const endpoint = await call('POST', '/webhooks', { url, ...fields });
  const certificate = await service.call('GET', `/certificates/${stored.proofId}`, { key });
  if (certificate.status !== 200) throw new Error(certificate.text);
  const path = `/proofs/${stored.proofId}?includeSalt=true`;
  const { proofNonce: nonce, txHash: salted } = await call('GET', path);
  const dictionary = {
    ...{ first: sha256(first), second: sha256(second), alone: sha256(alone), plainHash },
    statement: ofRun.fileHash,
    ...{ runId, objective, reason: `reason ${mark}`, subject: `subject ${mark}` },
    ...{ action: `act-${mark}`, description: `description ${mark}`, url },
    ...{ fileName: `name-${mark}.txt`, revisedName: `revised-${mark}.txt` },
    ...{ aloneName: `alone-${mark}.pdf`, aloneDescription: `of ${mark}` },
    ...{ endpoint: `endpoint ${mark}`, secret: endpoint.secret.slice('whsec_'.length) },
    ...{ nonce, mark, bytes: first.subarray(0, 40).toString() },
  };
  return { dictionary, salted, plain: plainTransaction };
}
