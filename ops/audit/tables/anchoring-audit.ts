import type { LogState } from '../../../src/domain/log/state.ts';
import type { Related } from '../findings/causes.ts';
import type { Findings } from '../findings/findings.ts';
import { isOutOfReach } from '../findings/out-of-reach.ts';
import type { Queryable } from '../rows/read-rows.ts';
import { type FoldedAnchoring, foldAnchoring } from './folded-anchoring.ts';
import { findMissingProofs, mostListed } from './missing-proofs.ts';
import { readSavedAnchoring, type SavedAnchoring, type SavedState } from './saved-anchoring.ts';

const at = { in: 'operations', position: null, column: 'state' } as const;
const cure =
  'Stop the service, delete this row, and start the service: it then reads the log from the beginning';

/**
 * Compares the states from which the anchoring continues after a restart with the log, folded anew.
 * A proof that such a state lacks would never be anchored.
 */
export async function auditAnchoring(database: Queryable, findings: Findings): Promise<void> {
  const { head, saved } = await readSavedAnchoring(database);
  const fault = (name: string, what: string, related: Related = {}, times = 1) =>
    findings.reportFault(
      { ...at, what: `table checkpoints: the saved state of ${name} ${what}. ${cure}`, times },
      related,
    );
  const readable = saved.flatMap(({ state, ...one }) => {
    if (state !== null) return [{ ...one, state }];
    fault(one.name, 'cannot be read');
    return [];
  });
  if (readable.length === 0) return;
  const counts = new Map<string, number>();
  for (const one of await findMissingProofs(database, readable)) {
    const { name, proofId, organisationId, count } = one;
    const related = { ids: [proofId, organisationId], streams: [`proof-${proofId}`] };
    fault(name, `lacks proof ${proofId}, so it would never be anchored`, related);
    counts.set(name, count);
  }
  for (const [name, count] of counts) {
    const more = count - mostListed;
    const what = `lacks ${more} more proofs, so they would never be anchored`;
    if (more > 0) fault(name, what, {}, more);
  }
  for (const one of readable) {
    const folded = await fold(database, { ...one, head }, findings);
    if (folded === null) continue;
    for (const { what, ids } of differences(one.state, folded)) fault(one.name, what, { ids });
  }
}

/** Null if an event cannot be read or applied: the audit of the rows reports it. */
async function fold(
  database: Queryable,
  saved: SavedAnchoring & { state: SavedState; head: number },
  findings: Findings,
): Promise<FoldedAnchoring | null> {
  try {
    return await foldAnchoring(database, saved);
  } catch (error) {
    if (isOutOfReach(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const what = `table checkpoints: the saved state of ${saved.name}, except for its proofs: ${reason}. Audit again after the repair`;
    findings.reportUnchecked({ ...at, what });
    return null;
  }
}

interface Difference {
  readonly what: string;
  /** Accounts, ledgers and transactions that the difference is about. */
  readonly ids: readonly string[];
}

function differences(state: SavedState, folded: FoldedAnchoring): readonly Difference[] {
  const { retired = [], gone, ledger } = state;
  const { openGapFills, knownGapFills } = folded;
  const gapFills = new Set(state.gapFills.map(({ transactionHash }) => transactionHash));
  const replaced = new Set(
    state.gapFills.flatMap((one) => [one.transactionHash, ...(one.replaced ?? []).map(hashOf)]),
  );
  const all: Difference[] = [
    ...less(retired, folded.retired, (account) => `retires ${account}, but no event does`),
    ...less(folded.retired, retired, (account) => `lacks the retired account ${account}`),
    ...less(gone, folded.gone, (id) => `declares ledger ${id} gone, but no event does`),
    ...less(folded.gone, gone, (id) => `lacks ledger ${id}, which is declared gone`),
    ...less(gapFills, knownGapFills, (hash) => `has a gap fill that is not open, ${hash}`),
    ...less(openGapFills, replaced, (hash) => `lacks the open gap fill ${hash}`),
  ];
  const ledgerId = ledger?.ledgerId ?? null;
  if (ledgerId !== folded.ledgerId) {
    const ids = [ledgerId, folded.ledgerId].filter((id) => id !== null);
    all.push({ what: `names ledger ${ledgerId}, but the events name ${folded.ledgerId}`, ids });
  }
  const ofLog = differenceOfLog(state, folded);
  return ofLog === null ? all : [...all, { what: ofLog, ids: [] }];
}

function differenceOfLog(
  { log }: SavedState,
  { versions, log: folded }: FoldedAnchoring,
): string | null {
  if (log === undefined) return null;
  if (log.version < versions.least || log.version > versions.most) {
    return `has the version ${log.version} of the log's stream, but that had ${versions.least} at its position, and has ${versions.most} now`;
  }
  if (folded === null || turnOf(folded) === turnOf(log.state)) return null;
  return 'has another checkpoint under way, or another time of the last one, than the events';
}

/** Members of the state that decide about the next checkpoint; alike from any start of a fold. */
function turnOf({ epoch, lastTurnAt, checkpoint }: LogState): string {
  const { status } = checkpoint;
  const memo = status === 'none' ? null : checkpoint.memo;
  const hash = status === 'processing' ? checkpoint.prepared.transactionHash : null;
  return JSON.stringify([epoch, lastTurnAt, status, memo?.size, memo?.rootHash, hash]);
}

/** Values that only the first list has. */
function less(
  one: Iterable<string>,
  other: Iterable<string>,
  inWords: (value: string) => string,
): readonly Difference[] {
  const known = new Set(other);
  const only = [...new Set(one)].filter((value) => !known.has(value));
  return only.map((value) => ({ what: inWords(value), ids: [value] }));
}

function hashOf({ transactionHash }: { readonly transactionHash: string }): string {
  return transactionHash;
}
