import {
  openCheckpoint,
  readCheckpoint,
} from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { renameKey } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { type ReadKey, readLogKey } from '../../../src/verifier/log/note-key.ts';
import type { Queryable } from '../rows/read-rows.ts';
import { type CheckpointRow, openRow } from './checkpoint-audit.ts';

/** More combinations of keys than any log has; the rest is not known. */
const mostCombinations = 1_000;

/**
 * The public keys of a log: those that the auditor knows, and those that such a key introduces by
 * signing a checkpoint together with them, as during a rotation. Names do not matter, since each
 * epoch has a name of its own.
 */
export class KnownKeys {
  readonly #keys: Set<string>;
  /** Checkpoints by the keys that have signed them, none of them known. */
  readonly #unknown = new Map<string, number>();

  constructor(trusted: readonly ReadKey[]) {
    this.#keys = new Set(trusted.map(publicKeyOf));
  }

  static async find(database: Queryable, trusted: readonly ReadKey[]): Promise<KnownKeys> {
    const known = new KnownKeys(trusted);
    const { rows } = await database.query<CheckpointRow>(
      `SELECT DISTINCT ON (vkeys) number, left(note, 65536) AS note, vkeys, origin, size
       FROM published_checkpoints WHERE strpos(vkeys, ' ') > 0 AND length(vkeys) < 65536
       ORDER BY vkeys, number LIMIT ${mostCombinations}`,
    );
    const together = rows.flatMap((row) => {
      const opened = openRow(row);
      return 'signers' in opened ? [opened.signers.map(publicKeyOf)] : [];
    });
    for (let before = -1; before !== known.#keys.size; ) {
      before = known.#keys.size;
      for (const keys of together) {
        if (keys.some((key) => known.#keys.has(key))) for (const key of keys) known.#keys.add(key);
      }
    }
    return known;
  }

  /** Returns true if a known key has signed the checkpoint. */
  hasSigned(note: string): boolean {
    const origin = readCheckpoint(note)?.origin ?? '';
    const verifiers = [...this.#keys].flatMap(
      (vkey) => readLogKey(renameKey(vkey, origin) ?? '') ?? [],
    );
    return openCheckpoint(note, verifiers).status === 'verified';
  }

  /** @param signers keys that have signed a listed checkpoint */
  add(signers: readonly ReadKey[]): void {
    if (signers.some((signer) => this.#keys.has(publicKeyOf(signer)))) return;
    const keys = signers.map(({ vkey }) => vkey).join(', ');
    if (this.#unknown.size === mostCombinations && !this.#unknown.has(keys)) return;
    this.#unknown.set(keys, (this.#unknown.get(keys) ?? 0) + 1);
  }

  /** A sentence for each unknown key. */
  get reasons(): readonly string[] {
    return [...this.#unknown].map(
      ([keys, count]) =>
        `${count} listed checkpoints are signed with unknown keys only: ${keys}. If one was a key of the log, add it to --key`,
    );
  }
}

function publicKeyOf({ vkey }: ReadKey): string {
  return renameKey(vkey, 'log') ?? vkey;
}
