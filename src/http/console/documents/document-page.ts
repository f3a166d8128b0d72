import { queryProofRecord } from '../../../../projections/documents/query.ts';
import { noSuchDocument } from '../../../loading/no-such-document.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import type { DocumentData } from '../../../views/document-schema.ts';
import { viewDocument } from '../../../views/document-view.ts';
import { awaitDocuments } from '../../documents/find-document.ts';
import { parseInput } from '../../input.ts';
import type { Reply } from '../../reply.ts';
import { apiAccessNote } from '../api-access-note.ts';
import { consoleReply, noteInHtml } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { html } from '../html.ts';
import { readWorkspaces } from '../workspaces/workspaces-page.ts';
import { certificatesPart } from './certificates-part.ts';
import { documentFacts } from './document-facts.ts';
import { linksPart } from './links-part.ts';
import { proofParams } from './proof-params.ts';
import { fileTitle, stateBadge, stateSentence } from './proof-state.ts';
import { revisionChain } from './revision-chain.ts';

/** Dependencies of the page of a document. */
export type DocumentDeps = ListedDeps & Parameters<typeof linksPart>[1];

type ListedDeps = ReadDeps & Parameters<typeof viewDocument>[0];

/** A proof with its file, revisions, certificates and links. */
export const documentPage: ConsoleRoute<DocumentDeps> = {
  kind: 'view',
  path: '/console/documents/:id',
  role: 'member',
  handle: (request, deps) => showDocument(request, deps),
};

/** Shows a proof of the organisation. `typed`: fields of the form for a link. Refuses with PROOF_NOT_FOUND. */
export async function showDocument(
  request: ViewRequest,
  deps: DocumentDeps,
  {
    typed = new URLSearchParams(),
    note = null,
    status = 200,
  }: {
    readonly typed?: URLSearchParams;
    readonly note?: string | null;
    readonly status?: number;
  } = {},
): Promise<Reply> {
  const { viewer, root } = request;
  const { organisationId } = viewer.organisation;
  const item = await readListed(request, deps);
  const workspaces = await readWorkspaces(deps, organisationId);
  const workspace = workspaces.find(({ _id }) => _id === item.workspace);
  const content = html`<p class="up"><a href="${root}console/documents">Documents</a></p>
    <h1>${fileTitle(item)}</h1>
    ${noteInHtml(note)}
    <p>${stateBadge(item)} ${stateSentence(item.blockchainStatus)}</p>
    ${documentFacts(item, workspace?.name ?? item.workspace, root)}
    ${viewer.person.role === 'owner' && apiAccessNote(viewer, 'no certificate can be issued, and no link created.')}
    ${await certificatesPart(request, deps, item)}
    ${await revisionChain(deps, organisationId, item, root)}
    ${await linksPart(request, deps, item, typed)}`;
  return consoleReply({ title: 'Document', content, root, viewer, place: 'documents', status });
}

/** The proof of the path as lists show it. Refuses with PROOF_NOT_FOUND. */
export async function readListed(
  { viewer, params }: Pick<ViewRequest, 'viewer' | 'params'>,
  deps: ListedDeps,
): Promise<DocumentData> {
  const { id } = parseInput(proofParams, params);
  const { organisationId } = viewer.organisation;
  await awaitDocuments(deps, organisationId);
  const record = await queryProofRecord(deps.db, organisationId, id);
  if (record === null) throw noSuchDocument();
  return viewDocument(deps, record);
}
