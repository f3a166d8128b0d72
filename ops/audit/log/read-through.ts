import { timestampTypes } from '../anchors/timestamp-audit.ts';
import { type CopiedPage, rowAt } from '../rows/copied-row.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { needOf, needs } from '../threads/needed-types.ts';
import { readSlowly } from '../threads/read-checked-rows.ts';
import type { AuditedLog } from './audited-log.ts';
import type { LogAudit } from './log-audit.ts';

/**
 * Reads all rows of the log up to `upTo`, and adds each to the audit of the log and to the parts that need it.
 * @param head position that `log_head` states; null if its row is missing
 */
export async function readThrough(
  audited: AuditedLog,
  log: LogAudit,
  { upTo, head }: { readonly upTo: number; readonly head: number | null },
): Promise<true> {
  const { database, readLog, references, onPosition } = audited;
  const parts = new RowParts(audited, log);
  const stretches = readLog?.(database, upTo) ?? readSlowly(database, { upTo });
  for await (const stretch of stretches) {
    if ('rows' in stretch) {
      for (const row of stretch.rows) {
        await log.add(row);
        await parts.add(row);
      }
    } else {
      const { page, from, to } = stretch;
      await log.compareTiles(page);
      if (from === 0) references?.beginPage(page);
      for (let index = from; index < to; ) {
        const added = log.addSound(page, index);
        if (added === 0) await log.add(rowAt(page, index));
        const next = index + Math.max(1, added);
        for (; index < next; index += 1) {
          if (!parts.addSound(page, index)) await parts.addOf(page, index);
        }
      }
    }
    onPosition?.(log.position, head);
  }
  return true;
}

/** The parts of an audit that need some rows beyond the audit of the log: anchors, keys, references. */
class RowParts {
  readonly #audited: AuditedLog;
  readonly #log: LogAudit;
  /** Bits of `needs` for which there is a part. */
  readonly #wanted: number;

  constructor(audited: AuditedLog, log: LogAudit) {
    const { anchors, timestamps, keys, references } = audited;
    this.#audited = audited;
    this.#log = log;
    const isEvidenceWanted = (anchors ?? timestamps ?? keys) !== undefined;
    this.#wanted =
      (isEvidenceWanted ? needs.evidence : 0) | (references === undefined ? 0 : needs.references);
  }

  async add(row: FoundRow): Promise<void> {
    const need = needOf(row.type) & this.#wanted;
    if ((need & needs.evidence) !== 0) await this.#addEvidence(row, false);
    if ((need & needs.references) === 0) return;
    await this.#attemptNames(row.position, async () => this.#audited.references?.add(row));
  }

  /** Adds the row at `index` of a page if that takes no promise. Returns false if it is still to be added. */
  addSound(page: CopiedPage, index: number): boolean {
    const need = this.#needAt(page, index);
    if (need === 0) return true;
    if ((need & needs.evidence) !== 0) return false;
    return this.#audited.references?.addSound(page, index) ?? true;
  }

  /** Adds a row that `addSound` did not add. */
  async addOf(page: CopiedPage, index: number): Promise<void> {
    const need = this.#needAt(page, index);
    const { references } = this.#audited;
    if ((need & needs.evidence) !== 0) {
      await this.#addEvidence(rowAt(page, index), page.signed[index] === 1);
      if ((need & needs.references) === 0 || references?.addSound(page, index) !== false) return;
    }
    const position = page.positions[index] as number;
    await this.#attemptNames(position, async () => references?.addDoubtful(page, index));
  }

  #needAt({ needed }: CopiedPage, index: number): number {
    return (needed[index] as number) & this.#wanted;
  }

  async #addEvidence(row: FoundRow, isSigned: boolean): Promise<void> {
    const { anchors, timestamps, keys } = this.#audited;
    await anchors?.add(row, this.#log, isSigned);
    if (timestampTypes.has(row.type)) await timestamps?.add(row, this.#log);
    keys?.add(row);
  }

  #attemptNames(position: number, work: () => Promise<void>): Promise<void> {
    const what = 'what the event names';
    const attempted = { in: 'references', position, column: 'data', what } as const;
    return this.#audited.findings.attempt(attempted, work, undefined);
  }
}
