import {
  type MasterKeys,
  unwrapKey,
  type WrappedKey,
} from '../../../src/event-store/key-wrapping.ts';
import type { Keyring } from '../../../src/event-store/keyring.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import type { FoundRow } from '../rows/found-row.ts';
import type { Queryable } from '../rows/read-rows.ts';

const pageSize = 1_000;
/** Greatest number of bytes read of a wrapped key, which has far fewer. */
const mostBytes = 1_000;
const backup = 'restore the row of the key from a backup';

/**
 * Audits `data_keys`: the master key must decrypt every key, and each organisation must have both
 * of its keys unless the log records its erasure. A damaged key is one fault, however many events
 * it has encrypted.
 */
export class KeyAudit {
  readonly #database: Queryable;
  readonly #findings: Findings;
  /** Organisations with a key that cannot be decrypted. */
  readonly #damaged = new Set<string>();
  /** Listed fault of each organisation with a damaged or missing key. */
  readonly #faults = new Map<string, Fault>();
  /** Fault that stands for all organisations that are not listed. */
  #others: Fault | null = null;
  #missing = 0;
  #noneOpens = false;
  /** Position of each organisation's OrganisationOpened event. */
  readonly #opened = new Map<string, number>();

  constructor(database: Queryable, findings: Findings) {
    this.#database = database;
    this.#findings = findings;
  }

  /** True if a key is damaged or missing. */
  get hasDamage(): boolean {
    return this.#damaged.size + this.#missing > 0;
  }

  /** True if there are keys, and no master key decrypts any of them. */
  get noneOpens(): boolean {
    return this.#noneOpens;
  }

  /**
   * Tries to decrypt every stored key. Call this first.
   * @param masterKeys null if there are none
   */
  async tryAll(masterKeys: MasterKeys | null): Promise<void> {
    // No key is used before all were tried.
    this.#noneOpens = true;
    if (masterKeys === null) {
      this.#noneOpens = await hasKeys(this.#database);
      return;
    }
    const listed: WrappedKey[] = [];
    let [total, failed] = [0, 0];
    for await (const key of wrappedKeys(this.#database)) {
      total += 1;
      if (unwrapKey(key, masterKeys) !== null) continue;
      failed += 1;
      this.#damaged.add(key.organisation_id);
      if (listed.length < pageSize) listed.push(key);
    }
    this.#noneOpens = total > 0 && failed === total;
    if (!this.#noneOpens) this.#reportDamaged(listed, failed);
    else this.#reportNoneDecrypted(total);
  }

  /**
   * Fault of a damaged or missing key of the organisation, which unreadable events follow from; null
   * if its keys are sound.
   */
  faultOf(organisationId: string): Fault | null {
    const isOther = this.#damaged.has(organisationId) && !this.#noneOpens;
    return this.#faults.get(organisationId) ?? (isOther ? this.#others : null);
  }

  /** Returns the organisations' keys; damaged keys count as destroyed. */
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

  /** Reports missing keys of opened organisations. Call this after all rows were added. */
  async findMissing(): Promise<void> {
    const all = [...this.#opened.keys()];
    for (let from = 0; from < all.length; from += pageSize) {
      // One statement for keys and log, so that a concurrent erasure is visible in both or in
      // neither.
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
        const what = `organisation ${id} has no ${purpose} key, and no event records that the organisation was erased: ${backup}`;
        const position = this.#opened.get(id) ?? null;
        const fault = { in: 'data_keys', position, column: null, what } as const;
        this.#note(id, this.#findings.reportFault(fault));
      }
      this.#missing += rows.length;
    }
  }

  #reportDamaged(listed: readonly WrappedKey[], count: number): void {
    const at = { in: 'data_keys', position: null, column: 'key_id,wrapped' } as const;
    for (const { purpose, organisation_id: organisationId } of listed) {
      const what = `MASTER_KEY cannot decrypt the ${purpose} key of organisation ${organisationId}: ${backup}`;
      this.#note(organisationId, this.#findings.reportFault({ ...at, what }));
    }
    const times = count - listed.length;
    if (times === 0) return;
    this.#others = this.#findings.reportFault({
      ...at,
      what: `MASTER_KEY cannot decrypt ${times} more keys`,
      times,
    });
  }

  #note(organisationId: string, fault: Fault): void {
    if (!this.#faults.has(organisationId)) this.#faults.set(organisationId, fault);
  }

  /** The master key may be wrong, or all rows may be damaged. */
  #reportNoneDecrypted(total: number): void {
    const what = `MASTER_KEY decrypts none of the ${total} keys, so no encrypted field was checked: set the master key that this database was written with. If it is already set, restore the table data_keys from a backup`;
    this.#findings.reportUnchecked({ in: 'data_keys', position: null, column: 'wrapped', what });
  }
}

async function hasKeys(database: Queryable): Promise<boolean> {
  const { rows } = await database.query('SELECT organisation_id FROM data_keys LIMIT 1');
  return rows.length > 0;
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
