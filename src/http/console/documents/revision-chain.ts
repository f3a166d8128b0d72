import { type ChainPart, queryChainAround } from '../../../../projections/documents/query.ts';
import type { DocumentRecord } from '../../../../projections/documents/record.ts';
import type { DocumentId, OrganisationId } from '../../../domain/ulid.ts';
import type { ReadModels } from '../../../subscriptions/projection.ts';
import type { DocumentData } from '../../../views/document-schema.ts';
import { grouped } from '../grouped.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { untrusted } from '../untrusted.ts';
import { stateBadge } from './proof-state.ts';

/** Revisions shown before and after the one of the page. */
const each = 3;

/**
 * The chain of a document's revisions as a picture: a line of stations, which screen readers read as
 * an ordered list. Of a long chain it shows both ends, and the revisions around the shown one.
 */
export async function revisionChain(
  { db }: { readonly db: ReadModels },
  organisationId: OrganisationId,
  { rootDocumentId, revision, documentId }: DocumentData,
  root: string,
): Promise<Html | null> {
  if (rootDocumentId === null || revision === null) return null;
  const asked = { rootDocumentId: rootDocumentId as DocumentId, revision, each };
  const chain = await queryChainAround(db, organisationId, asked);
  return html`<h2 id="revisions">Revisions</h2>
    ${
      chain.total === 1
        ? html`<p class="hint">This is the only revision. A new version of the file, sent with
          <code>POST /documents/${documentId ?? ''}/version</code>, gets a proof that names this one.</p>`
        : html`<p class="hint">${grouped(chain.total)} revisions. The proof of each names the transaction of the one before it.</p>
          <ol class="chain" aria-labelledby="revisions">${stations(chain, revision, root)}</ol>`
    }`;
}

function stations({ revisions }: ChainPart, shown: number, root: string): readonly Html[] {
  return revisions.flatMap((record, index) => {
    const before = revisions[index - 1];
    const isGap =
      before !== undefined && before.document?.documentId !== record.document?.previousDocumentId;
    const gap = isGap ? [html`<li class="gap">further revisions</li>`] : [];
    return [...gap, station(record, shown, root)];
  });
}

function station(record: DocumentRecord, shown: number, root: string): Html {
  const { proofId, document, fileName, closedAt, requestedAt } = record;
  const number = document?.revision ?? 0;
  const isShown = number === shown;
  const name = `Revision ${grouped(number)}`;
  const previous = document?.previousTransactionHash ?? null;
  return html`<li${isShown && html` aria-current="true" class="shown"`}>
      <p class="station">${isShown ? html`<strong>${name}</strong>` : html`<a href="${root}console/documents/${proofId}">${name}</a>`}
        ${stateBadge(record)}</p>
      <p>${untrusted(fileName ?? 'without a name', 60)}</p>
      <p class="hint">${timeInHtml(closedAt ?? requestedAt)}${previous !== null && html` · names <code>${previous.slice(0, 8)}…</code>`}</p>
    </li>`;
}
