import type { DocumentEvent } from '../../../../src/domain/document/events.ts';
import type { StoredEvent } from '../../../../src/event-store/stored-event.ts';
import { proofsOf } from './check-end.ts';
import type { World } from './world.ts';

/** What must not be of documents and their units when all has come to rest, in words. */
export function checkDocuments(world: World, allowance: number | null): string[] {
  const { events } = world.database.store;
  const proofs = proofsOf(world);
  const isRefused = ({ proofId }: { readonly proofId: string }) =>
    proofs.get(`proof-${proofId}`)?.state.status === 'refused';
  const stored = events.filter(isDocumentEvent).map(({ data }) => data);
  const isWithdrawn = ({ proofId }: { readonly proofId: string }) =>
    proofs.get(`proof-${proofId}`)?.state.status === 'withdrawn';
  const charged = stored.filter((one) => one.unitMonth !== null && !isRefused(one));
  return [
    ...stored
      .filter(isWithdrawn)
      .map(({ documentId }) => `document ${documentId} has no proof left`),
    ...checkBlobs(stored),
    ...checkHashes(events),
    ...checkUnits(events, charged.length, allowance),
    ...checkChains(events.filter(isDocumentEvent), isRefused),
  ];
}

function isDocumentEvent(event: StoredEvent): event is StoredEvent<DocumentEvent> {
  return event.type === 'DocumentStored' || event.type === 'RevisionChained';
}

function checkBlobs(stored: readonly DocumentEvent['data'][]): string[] {
  const keys = new Set(stored.map(({ blobKey }) => blobKey));
  return keys.size === stored.length ? [] : ['a blob is named twice'];
}

/** A hash has one proof at a time, which alone lets it go, and one document at most. */
function checkHashes(events: readonly StoredEvent[]): string[] {
  const found: string[] = [];
  const claims = new Map<string, string>();
  const stored = new Set<string>();
  for (const { stream, type, data } of events) {
    if (type === 'HashClaimed') {
      if (claims.has(stream)) found.push(`${stream} is claimed by two`);
      claims.set(stream, data.proofId);
    } else if (type === 'HashReleased') {
      if (claims.get(stream) !== data.proofId) found.push(`${stream} is let go by another`);
      claims.delete(stream);
      stored.delete(stream);
    } else if (type === 'HashStored') {
      if (stored.has(stream)) found.push(`${stream} is stored twice`);
      stored.add(stream);
    }
  }
  return found;
}

/** The newest event of each month tells its units; together they are what is charged. */
function checkUnits(
  events: readonly StoredEvent[],
  charged: number,
  allowance: number | null,
): string[] {
  const used = new Map<string, number>();
  const found: string[] = [];
  for (const event of events) {
    if (event.type !== 'UnitTaken' && event.type !== 'UnitReturned') continue;
    used.set(event.stream, event.data.used);
    if (event.data.used < 0) found.push(`${event.stream} goes below nothing`);
    if (allowance !== null && event.data.used > allowance) found.push('the allowance is overshot');
  }
  const sum = [...used.values()].reduce((total, units) => total + units, 0);
  if (sum !== charged) found.push(`${sum} units are used, by ${charged} documents`);
  return found;
}

/** Revisions are numbered one by one, and follow the newest before them that was not given up. */
function checkChains(
  events: readonly StoredEvent<DocumentEvent>[],
  isRefused: (revision: { readonly proofId: string }) => boolean,
): string[] {
  const found: string[] = [];
  for (const [stream, chain] of Map.groupBy(events, (event) => event.stream)) {
    chain.forEach((event, index) => {
      if (event.type === 'DocumentStored') return;
      const { revision, previousDocumentId } = event.data;
      if (revision !== index + 1) found.push(`${stream} has revision ${revision} at ${index + 1}`);
      const place = chain.findIndex(({ data }) => data.documentId === previousDocumentId);
      const between = chain.slice(place + 1, index);
      if (place < 0 || place >= index) found.push(`${stream}: ${revision} follows none before it`);
      if (!between.every(({ data }) => isRefused(data)))
        found.push(`${stream} forks at ${revision}`);
    });
  }
  return found;
}
