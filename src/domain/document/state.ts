import type { Recorded } from '../event.ts';
import type { DocumentId, OrganisationId, WorkspaceId } from '../ulid.ts';
import type { DocumentEvent, DocumentStored } from './events.ts';

/** One file of a document's chain. Its proof determines whether callers can see it. */
export type Revision = DocumentStored['data'] & {
  /** From 1; a number is never used again. */
  readonly revision: number;
  /** Revision that it was chained to; null for the first upload. */
  readonly previousDocumentId: DocumentId | null;
  readonly storedAt: string;
  /** Revision stored before it, whatever the state of its proof. */
  readonly before: Revision | null;
};

export interface StoredDocument {
  readonly status: 'stored';
  readonly rootDocumentId: DocumentId;
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
  readonly latest: Revision;
}

/** A document with its revisions. */
export type DocumentState = { readonly status: 'unknown' } | StoredDocument;

export const unknownDocument: DocumentState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveDocument(
  state: DocumentState,
  event: Recorded<DocumentEvent>,
): DocumentState {
  const storedAt = event.recordedAt;
  switch (event.type) {
    case 'DocumentStored': {
      if (state.status !== 'unknown') throw new Error('DocumentStored in a chain that has begun');
      const { documentId, organisationId, workspaceId } = event.data;
      const chain = { rootDocumentId: documentId, organisationId, workspaceId };
      const first = { revision: 1, previousDocumentId: null, storedAt, before: null };
      return { status: 'stored', ...chain, latest: { ...event.data, ...first } };
    }
    case 'RevisionChained': {
      if (state.status !== 'stored') throw new Error('RevisionChained before DocumentStored');
      const { rootDocumentId: _, ...file } = event.data;
      return { ...state, latest: { ...file, storedAt, before: state.latest } };
    }
  }
}

/** The revisions of a document, newest first. */
export function revisionsOf({ latest }: StoredDocument): Revision[] {
  const found: Revision[] = [];
  for (let next: Revision | null = latest; next !== null; next = next.before) found.push(next);
  return found;
}
