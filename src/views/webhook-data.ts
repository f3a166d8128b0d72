import { findRunAt } from '../../projections/agent-runs/query-runs.ts';
import { findDocuments } from '../../projections/documents/query.ts';
import type { DocumentRecord } from '../../projections/documents/record.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { isVisible } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId, ProofId, WorkspaceId } from '../domain/ulid.ts';
import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';
import { workspaceDecider } from '../domain/workspace/decider.ts';
import { fold } from '../event-store/handling/load.ts';
import { createReadCoalescer, type ReadMany } from '../event-store/read-coalescer.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import { awaitPosition } from '../subscriptions/await-position.ts';
import type { BuildWebhookData, WebhookSubject } from '../webhooks/contract.ts';
import { viewDocument } from './document-view.ts';
import { readFailedUpload } from './failed-upload.ts';
import { failureOf } from './failure.ts';
import { viewProofStatus } from './proof-view.ts';
import { readFile, statusOptions } from './read-proof.ts';
import { viewRun } from './run-view.ts';
import type { ViewDeps } from './view-deps.ts';
import { viewWorkspace } from './workspace-view.ts';

type Data = Readonly<Record<string, unknown>> | null;

/** Builds the data of webhook deliveries from the same views as the API's answers. */
export function createWebhookData(deps: ViewDeps): BuildWebhookData {
  const documents = createReadCoalescer<DocumentId, DocumentRecord>((ids) =>
    findDocuments(deps.db, ids),
  );
  const caughtUp = createCaughtUp(deps);
  const all: Builders = { ...deps, documents, caughtUp };
  return (subject) => builders[subject.kind](all, subject);
}

interface Builders extends ViewDeps {
  readonly documents: ReadMany<DocumentId, DocumentRecord>;
  /** Resolves when the projection has reached the position. */
  readonly caughtUp: (name: string, position: number) => Promise<void>;
}

type Builder = (deps: Builders, subject: WebhookSubject) => Promise<Data>;

/** Builder of the data for each kind. Add a new kind here and in `raised-events.ts`, or beside it. */
const builders: Readonly<Record<WebhookEventKind, Builder>> = {
  'document.created': documentItem,
  'revision.created': documentItem,
  'upload.completed': documentItem,
  'upload.failed': documentItem,
  'proof.completed': proofItem,
  'proof.failed': proofItem,
  'proof.attested': proofItem,
  'certificate.generated': proofItem,
  'workspace.created': workspaceItem,
  'agent.run.recorded': runItem,
  'webhook.test': async (_, { resourceId }) => ({ id: resourceId }),
};

/**
 * As GET /proofs/{proofId}. A proof that is no longer there is shown as requested, with its
 * failure.
 */
async function proofItem(deps: Builders, { resourceId, position }: WebhookSubject): Promise<Data> {
  await deps.caughtUp('evidence', position);
  const events = await deps.store.readStream(streams.proof(resourceId as ProofId));
  if (isUnreadable(events)) return null;
  const { state } = fold(events, proofDecider);
  if (state.status === 'unknown') return null;
  const failure = isVisible(state) ? null : failureOf(state.status);
  const shown = isVisible(state)
    ? state
    : ({ status: 'pending', request: state.request, queued: false, failures: 0 } as const);
  const [options, file] = await Promise.all([
    statusOptions(deps, shown, false),
    readFile(deps, shown),
  ]);
  const { proofNonce: _, ...item } = viewProofStatus(shown, options, file);
  return failure === null ? item : { ...item, failure };
}

/**
 * As GET /documents/{id}. A document that is no longer there is shown as uploaded, with its failure.
 */
async function documentItem(deps: Builders, subject: WebhookSubject): Promise<Data> {
  const documentId = subject.resourceId as DocumentId;
  await deps.caughtUp('documents', subject.position);
  const listed = (await deps.documents([documentId])).get(documentId);
  const rootId = subject.rootId as DocumentId;
  const failed = listed ? null : await readFailedUpload(deps.store, rootId, documentId);
  const record = listed ?? failed?.record;
  if (record === undefined) return null;
  const { proofNonce: _, agentClassification: __, ...item } = await viewDocument(deps, record);
  return failed === null ? item : { ...item, failure: failed.failure };
}

/** As the items of GET /workspaces. */
async function workspaceItem(deps: Builders, { resourceId }: WebhookSubject): Promise<Data> {
  const workspaceId = resourceId as WorkspaceId;
  const events = await deps.store.readStream(streams.workspace(workspaceId));
  if (isUnreadable(events)) return null;
  const { state } = fold(events, workspaceDecider);
  return state.status === 'unknown' ? null : viewWorkspace(workspaceId, state.name);
}

/** As the items of GET /agent/runs. */
async function runItem(deps: Builders, { position }: WebhookSubject): Promise<Data> {
  await deps.caughtUp('agent-runs', position);
  const run = await findRunAt(deps.db, position);
  return run === null ? null : viewRun(run);
}

function isUnreadable(events: readonly StoredEvent[]): boolean {
  return events.some(({ erased }) => erased);
}

/** Caches the reached positions: most deliveries are about events that were projected long ago. */
function createCaughtUp({ db, signal }: Pick<ViewDeps, 'db' | 'signal'>): Builders['caughtUp'] {
  const reached = new Map<string, number>();
  return async (name, position) => {
    if (position <= (reached.get(name) ?? 0)) return;
    await awaitPosition(db, name, position, { signal });
    reached.set(name, Math.max(reached.get(name) ?? 0, position));
  };
}
