import { type MasterKeys, unwrapKey, type WrappedKey } from '../../src/event-store/key-wrapping.ts';
import type { Keyring } from '../../src/event-store/keyring.ts';
import type { Findings } from './findings.ts';
import type { FoundRow } from './found-row.ts';
import type { Queryable } from './read-rows.ts';

const pageSize = 1_000;
/** A wrapped key has far fewer. More are not read. */
const mostBytes = 1_000;
const backup = 'put the row back from a backup';

/**
 * Audits `data_keys`: the master key opens every key, and each organisation has both of its keys, unless
 * the log says that it was erased. A damaged key is one fault, whatever number of events it has sealed.
 */
export class KeyAudit {
  readonly #database: Queryable;
  readonly #findings: Findings;
  /** Organisations whose keys do not open. */
  readonly #damaged = new Set<string>();
  #missing = 0;
  #noneOpens = false;
  /** Position of the first event of each organisation. */
  readonly #opened = new Map<string, number>();

  constructor(database: Queryable, findings: Findings) {
    this.#database = database;
    this.#findings = findings;
  }

  /** Keys that should be there are damaged or missing. */
  get hasDamage(): boolean {
    return this.#damaged.size + this.#missing > 0;
  }

  /** There are keys, and no master key opens one of them. */
  get noneOpens(): boolean {
    return this.#noneOpens;
  }

  /**
   * Tries every key that is there. To be called first.
   * @param masterKeys null where there are none
   */
  async tryAll(masterKeys: MasterKeys | null): Promise<void> {
    // Until all were tried, none is used.
    this.#noneOpens = true;
    const listed: WrappedKey[] = [];
    let [total, failed] = [0, 0];
    for await (const key of wrappedKeys(this.#database)) {
      total += 1;
      if (masterKeys !== null && unwrapKey(key, masterKeys) !== null) continue;
      failed += 1;
      this.#damaged.add(key.organisation_id);
      if (listed.length < pageSize) listed.push(key);
    }
    this.#noneOpens = total > 0 && failed === total;
    if (!this.#noneOpens) this.#tellDamaged(listed, failed);
    else if (masterKeys !== null) this.#tellForeign(total);
  }

  /** The keys of organisations; those that are damaged are as if they were destroyed. */
  openable(keyring: Pick<Keyring, 'find'> | null): Pick<Keyring, 'find'> {
    const find: Keyring['find'] = async (organisationId) => {
      if (keyring === null || this.#noneOpens || this.#damaged.has(organisationId)) return null;
      return keyring.find(organisationId);
    };
    return { find };
  }

  add({ type, organisation_id: organisationId, position }: FoundRow): void {
    if (type !== 'OrganisationOpened' || organisationId === null) return;
    this.#opened.set(organisationId, position);
  }

  /** Looks for the keys of every organisation that was opened, when all rows were heard. */
  async findMissing(): Promise<void> {
    const all = [...this.#opened.keys()];
    for (let from = 0; from < all.length; from += pageSize) {
      // One statement for keys and log, so that an erasure falls before both or after both.
      const { rows } = await this.#database.query<{ id: string; purpose: string }>(
        `SELECT id, purpose FROM unnest($1::text[]) AS opened(id),
           unnest(ARRAY['data', 'index']) AS wanted(purpose)
         WHERE NOT EXISTS (SELECT FROM data_keys
                           WHERE organisation_id = id AND data_keys.purpose = wanted.purpose)
           AND NOT EXISTS (SELECT FROM events
                           WHERE stream = 'organisation-' || id AND type = 'OrganisationErased')`,
        [all.slice(from, from + pageSize)],
      );
      for (const { id, purpose } of rows) {
        const what = `organisation ${id} has no ${purpose} key, and no event says that it was erased: ${backup}`;
        const position = this.#opened.get(id) ?? null;
        this.#findings.tell({ in: 'data_keys', position, column: null, what });
      }
      this.#missing += rows.length;
    }
  }

  #tellDamaged(listed: readonly WrappedKey[], count: number): void {
    const at = { in: 'data_keys', position: null, column: 'key_id,wrapped' } as const;
    for (const { purpose, organisation_id: organisationId } of listed) {
      const what = `MASTER_KEY does not open the ${purpose} key of organisation ${organisationId}: ${backup}`;
      this.#findings.tell({ ...at, what });
    }
    const times = count - listed.length;
    if (times === 0) return;
    this.#findings.tell({ ...at, what: `MASTER_KEY does not open ${times} more keys`, times });
  }

  /** It may be the wrong master key, or all rows may be damaged. */
  #tellForeign(total: number): void {
    const what = `MASTER_KEY opens none of the ${total} keys, so that nothing that they have sealed was checked: give the master key that this database was written with, or, if it is this one, put the rows back from a backup`;
    this.#findings.tellUnchecked({ in: 'data_keys', position: null, column: 'wrapped', what });
  }
}

async function* wrappedKeys(database: Queryable): AsyncGenerator<WrappedKey> {
  for (let last = ['', '']; ; ) {
    const { rows } = await database.query<WrappedKey>(
      `SELECT organisation_id, coalesce(purpose, '') AS purpose, coalesce(key_id, '') AS key_id,
         coalesce(substring(wrapped FROM 1 FOR ${mostBytes}), '') AS wrapped
       FROM data_keys WHERE (organisation_id, coalesce(purpose, '')) > ($1, $2)
       ORDER BY organisation_id, purpose LIMIT ${pageSize}`,
      last,
    );
    yield* rows;
    const final = rows.at(-1);
    if (final === undefined) return;
    last = [final.organisation_id, final.purpose];
  }
}
