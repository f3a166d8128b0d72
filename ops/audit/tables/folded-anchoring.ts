import { AnchoringFold } from '../../../src/anchoring-state/anchoring-fold.ts';
import { logEvents } from '../../../src/domain/log/events.ts';
import { decodeEvent } from '../../../src/event-store/decode.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { LoadedLog } from '../../../src/loading/load-log.ts';
import type { Queryable } from '../rows/read-rows.ts';
import type { SavedAnchoring, SavedState } from './saved-anchoring.ts';

/** State that follows from the log, for the comparison with a saved one. */
export interface FoldedAnchoring {
  /** At the saved position. */
  readonly retired: ReadonlySet<string>;
  /** At the saved position. */
  readonly gone: ReadonlySet<string>;
  /** At the saved position. */
  readonly ledgerId: string | null;
  /** Hashes of gap fills that a saved state must know: open at its position and now. */
  readonly openGapFills: ReadonlySet<string>;
  /** Hashes of gap fills that a saved state may know: open at its position, or prepared later. */
  readonly knownGapFills: ReadonlySet<string>;
  /** Versions of the log's stream at the saved position and now. */
  readonly versions: { readonly least: number; readonly most: number };
  /** State of the log at the saved version of its stream; null if it never had this version. */
  readonly log: LoadedLog['state'] | null;
}

/** Longer than any of these events. */
const mostBytes = 1_048_576;

/** Proofs are many, and are searched in the table instead. */
const types: readonly string[] = [
  ...Object.keys(logEvents),
  ...['GapFillPrepared', 'GapFillSettled', 'AccountRetired', 'LedgerJoined', 'LedgerGone'],
];

/**
 * Folds the log anew up to its head. A saved state may be ahead of its position in its gap fills and
 * its checkpoint: the service folds events of its own at once. Rejects if an event cannot be read or
 * applied.
 */
export async function foldAnchoring(
  database: Queryable,
  { network, position, state, head }: SavedAnchoring & { state: SavedState; head: number },
): Promise<FoldedAnchoring> {
  const fold = new AnchoringFold(network);
  const version = state.log?.version ?? null;
  const later = new Set<string>();
  let log: LoadedLog['state'] | null = null;
  let atPosition: ReturnType<typeof copyOf> | null = null;
  for await (const row of readRare(database, head)) {
    if (row.position > position) atPosition ??= copyOf(fold);
    // These fields are clear: no key is needed.
    const event = await decodeEvent(row, { find: async () => null });
    fold.observe([event], row.position);
    const { log: now } = fold.backlog.checkpoint;
    if (now.version === version) log ??= now.state;
    const isLater = event.type === 'GapFillPrepared' && row.position > position;
    if (isLater) later.add(event.data.transactionHash);
  }
  const now = copyOf(fold);
  const before = atPosition ?? now;
  const { retired, gone, ledgerId, gapFills } = before;
  return {
    ...{ retired, gone, ledgerId, log },
    openGapFills: gapFills.intersection(now.gapFills),
    knownGapFills: gapFills.union(later),
    versions: { least: before.version, most: now.version },
  };
}

const pageRows = 1_000;

/**
 * Rows of these types in order, without `meta`. Finds their positions first: reading the whole
 * log page by page takes four times as long.
 */
async function* readRare(database: Queryable, upTo: number): AsyncGenerator<EventRow> {
  const { rows: found } = await database.query<{ position: number }>(
    'SELECT position FROM events WHERE type = ANY ($1) AND position <= $2 ORDER BY position',
    [types, upTo],
  );
  for (let from = 0; from < found.length; from += pageRows) {
    const positions = found.slice(from, from + pageRows).map(({ position }) => position);
    const { rows } = await database.query<EventRow>(
      `SELECT position, organisation_id, stream, version, event_id, type, schema, recorded_at,
         CASE WHEN octet_length(data) <= ${mostBytes} THEN data ELSE '' END AS data, '{}' AS meta
       FROM events WHERE position = ANY ($1) ORDER BY position`,
      [positions],
    );
    yield* rows;
  }
}

function copyOf({ retired, gone, ledger, backlog }: AnchoringFold) {
  return {
    ...{ retired: new Set(retired), gone: new Set(gone), ledgerId: ledger?.ledgerId ?? null },
    gapFills: new Set([...backlog.gapFills.values()].map((one) => one.transactionHash)),
    version: backlog.checkpoint.log.version,
  };
}
