import { randomBytes } from 'node:crypto';
import { hexToBytes } from '@noble/hashes/utils.js';
import fc, { type Arbitrary } from 'fast-check';
import type { Test } from 'tap';
import { ulid } from 'ulid';
import type { CheckpointTimestamped } from '../../../src/domain/log/timestamp-events.ts';
import { proofDecider } from '../../../src/domain/proof/decider.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { load } from '../../../src/event-store/handling/load.ts';
import { readHeader } from '../../../src/verifier/evidence/ledger-header.ts';
import { anyCharacter } from '../any-character.ts';
import { recordAttested, recordList } from '../attested-ledger.ts';
import { startDocumentService } from '../document-service.ts';
import type { Answer, HttpService, TestOrganisation } from '../http-service.ts';
import { createScriptedDeliveries } from '../scripted-deliveries.ts';
import { syntheticNetwork } from '../synthetic-network.ts';
import type { Known } from './arbitrary-of-schema.ts';
import { type OpenApiDocument, type Operation, operationsOf } from './operations.ts';

/** An organisation's ids and names, by kind. */
export type Belongings = Readonly<Record<Kind, readonly string[]>>;

export const kinds = [
  'workspace',
  'proof',
  'document',
  'run',
  'webhook',
  'delivery',
  'key',
  'transaction',
  'tile',
  'link',
  'pdf',
] as const;
export type Kind = (typeof kinds)[number];

/** A service with two organisations that have some of each kind, and its OpenAPI document. */
export interface World {
  readonly service: HttpService;
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly mine: TestOrganisation;
  readonly theirs: TestOrganisation;
  readonly belongings: { readonly mine: Belongings; readonly theirs: Belongings };
  readonly storedFiles: () => Promise<readonly string[]>;
}

export async function createWorld(t: Pick<Test, 'teardown'>): Promise<World> {
  const webhooks = createScriptedDeliveries();
  const site = await startDocumentService(t, { services: { webhooks } });
  const { service } = site;
  const { key, organisationId, workspaceId } = site;
  const mine = { key, organisationId, workspaceId };
  const theirs = await service.openOrganisation();
  const { body } = await service.call('GET', '/openapi.json');
  const document = body as OpenApiDocument;
  const furnished = {
    mine: await furnish(service, webhooks, mine),
    theirs: await furnish(service, webhooks, theirs),
  };
  await attest(service.store, [...furnished.mine.proof, ...furnished.theirs.proof] as ProofId[]);
  const { size } = await service.publish();
  await stampTime(service);
  const shared = {
    mine: await share(service, mine, furnished.mine.proof[0]),
    theirs: await share(service, theirs, furnished.theirs.proof[0]),
  };
  const tile = [`0/000.p/${size}`];
  const belongings = {
    mine: { ...furnished.mine, ...shared.mine, tile },
    theirs: { ...furnished.theirs, ...shared.theirs, tile },
  };
  const operations = operationsOf(document);
  const storedFiles = async () => (await site.files()).kept;
  return { service, document, operations, mine, theirs, belongings, storedFiles };
}

/** Records a token, of no authority, for the newest published checkpoint. */
async function stampTime({ store, call }: HttpService): Promise<void> {
  const [origin = '', size, root = ''] = (await call('GET', '/log/checkpoint')).text.split('\n');
  const rootHash = Buffer.from(root, 'base64').toString('hex');
  const memo = { origin, size: Number(size), rootHash };
  const time = '2026-11-21T02:00:03.000Z';
  const data = { ...memo, authority: 'CN=Example TSA', time, token: 'MIIE' };
  const event: CheckpointTimestamped = { type: 'CheckpointTimestamped', data };
  const stream = streams.timestamp(origin, rootHash);
  await store.append([{ organisationId: null, stream, expectedVersion: 0, events: [event] }], {});
}

/**
 * Issues the first certificate of a proof, and shares it by a link. Of the organisation's other proof
 * a request may issue the first certificate.
 */
async function share(
  { call, store }: HttpService,
  { key }: TestOrganisation,
  proofId = '',
): Promise<Pick<Belongings, 'link' | 'pdf'>> {
  const before = await store.head();
  const link = made(await call('POST', `/proofs/${proofId}/links`, { key, json: {} }));
  const pdf = (await store.readLog(before, 100)).flatMap(({ type, data }) =>
    type === 'CertificateRecorded' ? [data.sha256] : [],
  );
  return { link: [link.id], pdf };
}

async function furnish(
  service: HttpService,
  deliveries: ReturnType<typeof createScriptedDeliveries>,
  { key, workspaceId: workspace }: TestOrganisation,
): Promise<Omit<Belongings, 'tile' | 'link' | 'pdf'>> {
  const post = (path: string, json: unknown) => service.call('POST', path, { key, json });
  const proof = made(await post('/proofs', { hash: randomBytes(32).toString('hex'), workspace }));
  const form = new FormData();
  form.append('workspace', workspace);
  form.append('file', new Blob([randomBytes(20).toString('hex')]), 'a.txt');
  const document = made(await service.call('POST', '/documents', { key, body: form }));
  const runId = `run/${ulid()}`;
  made(await post('/agent/runs', { runId, workspace, decisions: [{ subject: 'a', action: 'b' }] }));
  const url = 'https://hooks.example.com/a';
  const webhook = made(await post('/webhooks', { url, events: ['document.created'] }));
  const delivery = deliveries.add(webhook.id);
  const issued = made(await post('/api-keys', { name: 'a', scopes: ['documents:read'] }));
  return {
    workspace: [workspace],
    proof: [proof.proofId, document.proofId],
    document: [document.documentId],
    run: [runId],
    webhook: [webhook.id],
    delivery: [delivery.id],
    key: [issued.id],
    transaction: [proof.txHash],
  };
}

/** Records the signatures of validators for the ledgers of anchored proofs. */
async function attest(store: EventStore, proofIds: readonly ProofId[]): Promise<void> {
  const network = syntheticNetwork(5);
  const lists = [await recordList(store, network.list())];
  for (const proofId of proofIds) {
    const { state } = await load(store, streams.proof(proofId), proofDecider);
    if (state.status !== 'completed') throw new Error(`${proofId} is ${state.status}`);
    const { anchor, prepared } = state;
    const header = readHeader(hexToBytes(anchor.ledgerHeader));
    const item = { blob: hexToBytes(prepared.blob), metadata: hexToBytes(anchor.metadata) };
    const ledger = { ledgerId: anchor.ledgerId, header, items: [item] };
    await recordAttested(store, ledger, network, { lists });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
function made({ status, body, text }: Answer): any {
  if (status === 201) return body.data;
  throw new Error(`${status} ${text}`);
}

const byPath: readonly (readonly [RegExp, Kind])[] = [
  [/\{deliveryId\}/, 'delivery'],
  [/\{linkId\}/, 'link'],
  [/\/log\/certificates\//, 'pdf'],
  [/\/(proofs|certificates)\//, 'proof'],
  [/\/documents\//, 'document'],
  [/\/agent\/runs\//, 'run'],
  [/\/webhooks\//, 'webhook'],
  [/\/api-keys\//, 'key'],
  [/\/verify\//, 'transaction'],
  [/\/log\/tile\//, 'tile'],
];

/** Kind of thing that a parameter of an operation's path names. */
export function kindOf({ path }: Operation, name: string): Kind | null {
  const end = path.indexOf(`{${name}}`);
  if (end < 0) return null;
  const upTo = path.slice(0, end + name.length + 2);
  if (name !== 'deliveryId') return byPath.slice(1).find(([form]) => form.test(upTo))?.[1] ?? null;
  return 'delivery';
}

const byName: Readonly<Record<string, Kind>> = {
  workspace: 'workspace',
  proofId: 'proof',
  runId: 'run',
};

/** Kind of thing that a field of a query or a body names. */
export function kindOfField(name: string): Kind | null {
  return byName[name] ?? null;
}

/** Contents of form parts for which the document states only a type. */
const contents: Readonly<Record<string, Arbitrary<unknown>>> = {
  file: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
  agentClassification: fc
    .record({ runId: fc.uuid(), kind: fc.string() })
    .map((classification) => JSON.stringify(classification)),
  metadata: fc.record({ caseNumber: fc.string() }).map((metadata) => JSON.stringify(metadata)),
};

/** Fields that name something mostly get an existing id or name of the caller's organisation. */
export function knownOf(operation: Operation, own: Belongings): Known {
  return (name) => {
    const content = contents[name];
    if (content !== undefined && operation.body?.contentType === 'multipart/form-data') {
      return content;
    }
    // The first certificate of a proof: the proofs of this service have no other.
    if (name === 'number' && operation.path.includes('/certificates/')) return fc.constant(1);
    // The first decision of a run.
    if (name === 'index' && operation.path.includes('/decisions/')) return fc.constant(0);
    // A posted run needs a new id.
    const isNew = name === 'runId' && operation.method === 'POST';
    const kind = isNew ? null : (kindOf(operation, name) ?? kindOfField(name));
    return kind === null ? null : fc.constantFrom(...own[kind]);
  };
}

/** An id of this kind that does not exist. */
export function unknownId(kind: Kind): string {
  if (kind === 'tile') return '9/000';
  if (kind === 'pdf') return randomBytes(32).toString('hex');
  if (kind === 'transaction') return randomBytes(32).toString('hex').toUpperCase();
  return kind === 'run' ? `run/${ulid()}` : ulid();
}
