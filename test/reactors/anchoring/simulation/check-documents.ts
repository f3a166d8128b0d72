import type { DocumentEvent } from '../../../../src/domain/document/events.ts';
import type { StoredEvent } from '../../../../src/event-store/stored-event.ts';
import { proofsOf } from './proofs-of.ts';
import type { World } from './world.ts';

/** Violations of the rules for documents and units after the run. */
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
    ...checkBytes(events.filter(isDocumentEvent), isRefused),
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

/**
 * A hash has at most one claim and one document, each released only by its own proof. While the
 * bytes are stored, the hash stays claimed.
 */
function checkHashes(events: readonly StoredEvent[]): string[] {
  const found: string[] = [];
  const claims = new Map<string, string>();
  const stored = new Map<string, string>();
  for (const { stream, type, data } of events) {
    if (type === 'HashClaimed') {
      if (claims.has(stream)) found.push(`${stream} is claimed by two`);
      claims.set(stream, data.proofId);
    } else if (type === 'HashStored') {
      if (!claims.has(stream)) found.push(`${stream} is stored, claimed by none`);
      if (stored.has(stream)) found.push(`${stream} is stored twice`);
      stored.set(stream, String(data.proofId));
    } else if (type === 'HashReleased') {
      const holders = [claims.get(stream), stored.get(stream)];
      if (!holders.includes(data.proofId)) found.push(`${stream} is let go by another`);
      const left = holders.filter((proofId) => proofId !== undefined && proofId !== data.proofId);
      if (stored.get(stream) === data.proofId) stored.delete(stream);
      if (left[0] === undefined) claims.delete(stream);
      else claims.set(stream, left[0]);
    }
  }
  return found;
}

/** Stored bytes, including bytes of a revision, never become a second document. */
function checkBytes(
  events: readonly StoredEvent<DocumentEvent>[],
  isRefused: (of: { readonly proofId: string }) => boolean,
): string[] {
  const found: string[] = [];
  for (const [fileHash, same] of Map.groupBy(events, ({ data }) => data.fileHash)) {
    // After one was given up, the next upload may begin anew.
    if (same.some(({ data }) => isRefused(data))) continue;
    if (same.slice(1).some(({ type }) => type === 'DocumentStored')) {
      found.push(`the bytes ${fileHash} are a second document`);
    }
  }
  return found;
}

/** The newest event of each month gives its used units. Their sum equals the charged documents. */
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

/** Revisions have consecutive numbers and follow the newest previous one not given up. */
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
