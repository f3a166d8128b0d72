import type { AnchoringState } from '../../../src/anchoring-state/anchoring-fold.ts';
import { anchoringCheckpoint } from '../../../src/anchoring-state/read-anchoring.ts';
import { type Network, networks } from '../../../src/domain/network.ts';
import { parseObject } from '../rows/parse-object.ts';
import type { Queryable } from '../rows/read-rows.ts';

/** State from which the anchoring of a network continues after a restart. */
export interface SavedAnchoring {
  readonly network: Network;
  /** Name in the table `checkpoints`. */
  readonly name: string;
  readonly position: number;
  /** Null if the stored text is not such a state. */
  readonly state: SavedState | null;
}

/** As stored; states of earlier releases lack some members. */
export type SavedState = Pick<AnchoringState, 'proofIds' | 'gapFills' | 'gone' | 'ledger'> &
  Pick<AnchoringState, 'retired' | 'log'>;

/** The service saves far shorter states. Longer ones are not read. */
const mostBytes = 67_108_864;

/**
 * Reads the saved states of all networks, with the last position of the log. Leaves out those
 * without a state, and with a position that the log does not have.
 */
export async function readSavedAnchoring(
  database: Queryable,
): Promise<{ readonly head: number; readonly saved: readonly SavedAnchoring[] }> {
  // One statement: the events up to a saved position are below the head.
  const { rows } = await database.query<{ name: string; position: number; state: string | null }>(
    `SELECT name, position,
       CASE WHEN octet_length(state) <= ${mostBytes} THEN state ELSE '' END AS state
     FROM checkpoints
     WHERE name = ANY ($1) AND build = 1 AND state IS NOT NULL AND position >= 0
       AND position <= (SELECT max(position) FROM log_head)`,
    [networks.map(anchoringCheckpoint)],
  );
  // Saved states may be ahead of their position: they never know more than the log has now.
  const { rows: heads } = await database.query<{ head: number | null }>(
    'SELECT max(position) AS head FROM log_head',
  );
  const saved = networks.flatMap((network) => {
    const name = anchoringCheckpoint(network);
    const row = rows.find((one) => one.name === name);
    if (row === undefined) return [];
    return [{ network, name, position: row.position, state: parseState(row.state ?? '') }];
  });
  return { head: heads[0]?.head ?? 0, saved };
}

function parseState(text: string): SavedState | null {
  const state = parseObject(text);
  return isState(state) ? state : null;
}

function isState(value: unknown): value is SavedState {
  const state = Object(value) as Readonly<Record<string, unknown>>;
  const { proofIds, gapFills, gone, ledger, retired = [], log } = state;
  const { version, state: ofLog } = Object(log) as Readonly<Record<string, unknown>>;
  return (
    [proofIds, gone, retired].every(isTexts) &&
    Array.isArray(gapFills) &&
    gapFills.every((one) => typeof one?.transactionHash === 'string') &&
    (ledger === null || typeof Object(ledger).ledgerId === 'string') &&
    (log === undefined || (Number.isSafeInteger(version) && Object(ofLog).checkpoint != null))
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
