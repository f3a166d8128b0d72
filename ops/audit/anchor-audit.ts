import { DatabaseSync } from 'node:sqlite';
import type { LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import { decodeCanonical } from '../../src/certificates/decode-canonical.ts';
import { networks } from '../../src/domain/network.ts';
import { commit } from '../../src/domain/proof/commit.ts';
import type { Anchored, AnchorPrepared, ProofRequested } from '../../src/domain/proof/events.ts';
import { proofMemo, readProofMemo } from '../../src/domain/proof/memo.ts';
import { UnreadableEvent } from '../../src/event-store/decode.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { CheckpointAnchorAudit, type PastTree } from './checkpoint-anchor-audit.ts';
import { formatRow, parseRow } from './exported-row.ts';
import type { Findings } from './findings.ts';
import { reasonsAgainst } from './reasons-against.ts';

/** What a proof's events say; what is sealed of them only where it could be opened. */
type Requested = Pick<
  ProofRequested['data'],
  'commitment' | 'hashScheme' | 'network' | 'organisationId'
> &
  Partial<Pick<ProofRequested['data'], 'fileHash' | 'nonce'>>;
type Prepared = Omit<AnchorPrepared['data'], 'blob'> & { readonly blob?: string };

/** Asks a server of the ledger for a validated ledger. */
export type AskLedger = (network: Requested['network'], index: number) => Promise<LedgerFinding>;

/**
 * The data of a row with its sealed fields opened; without them where the organisation's keys are gone.
 * Rejects with `UnreadableEvent` where they do not open, and where the data are none.
 */
export type OpenRow = (row: EventRow) => Promise<object>;

export interface AnchorAuditOptions {
  /** Null where only the evidence in the events is looked at. */
  readonly ask: AskLedger | null;
  /** Null where there are no keys. */
  readonly open?: OpenRow | null;
  readonly findings: Findings;
}

/**
 * Holds every Anchored event against what came before it in its stream, against the ledger's header
 * and metadata that it keeps, and against the validated ledger itself where there is one to be asked:
 * account, memo, result, index, hash; and each CheckpointAnchored alike. Where keys are, commitments
 * and memos are held against the sealed digests. What it must remember is in a temporary file, sealed
 * as it was stored.
 */
export class AnchorAudit {
  readonly #db = new DatabaseSync('');
  readonly #options: AnchorAuditOptions;
  readonly #checkpoints: CheckpointAnchorAudit;

  constructor(options: AnchorAuditOptions) {
    this.#options = options;
    this.#checkpoints = new CheckpointAnchorAudit(options);
    this.#db.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE open (stream TEXT PRIMARY KEY, requested TEXT, prepared TEXT) WITHOUT ROWID;
      BEGIN`);
  }

  /** @param past the tree over the events up to this one */
  async add(row: EventRow, past: PastTree): Promise<void> {
    const attempted = { in: 'ledger', position: row.position, column: 'data', what: 'it' } as const;
    await this.#options.findings.attempt(attempted, () => this.#add(row, past), undefined);
  }

  close(): void {
    this.#db.close();
  }

  async #add(row: EventRow, past: PastTree): Promise<void> {
    const { stream, type } = row;
    if (type === 'ProofRequested') {
      const text = 'INSERT OR REPLACE INTO open VALUES (?, ?, NULL)';
      this.#db.prepare(text).run(stream, formatRow(row));
      await this.#checkCommitment(row);
    } else if (type === 'AnchorPrepared') {
      const text = 'UPDATE open SET prepared = ? WHERE stream = ?';
      this.#db.prepare(text).run(formatRow(row), stream);
    } else if (type === 'Anchored') {
      const known = this.#db.prepare('DELETE FROM open WHERE stream = ? RETURNING *').get(stream);
      const { requested, prepared } = (known ?? {}) as { requested?: string; prepared?: string };
      await this.#check(row, parseRow(requested ?? ''), parseRow(prepared ?? ''));
    } else await this.#checkpoints.add(row, past);
  }

  async #checkCommitment(row: EventRow): Promise<void> {
    const { open = null } = this.#options;
    if (open === null) return;
    const requested = await this.#read<Requested>(row);
    const { commitment, nonce, fileHash } = requested ?? {};
    if (!commitment || fileHash === undefined) return;
    if (nonce && commit(nonce, fileHash) === commitment) return;
    this.#fault(row, 'commitment: it is not that of the digest under the nonce');
  }

  async #check(
    row: EventRow,
    requested: EventRow | null,
    prepared: EventRow | null,
  ): Promise<void> {
    if (requested === null || prepared === null) {
      this.#fault(row, 'it is anchored, though no transaction was signed for it');
      return;
    }
    // Faults of the request are reported at its own position.
    const request = await this.#read<Requested>(requested, false);
    const sent = await this.#read<Prepared>(prepared);
    const anchor = await this.#read<Anchored['data']>(row);
    if (request === null || sent === null || anchor === null) {
      this.#fault(row, 'its data, or those of the events before it, cannot be read');
      return;
    }
    const { network } = request;
    if (!networks.includes(network)) {
      this.#fault(row, `its proof was requested on ${network}, an unknown network`);
      return;
    }
    const memo = (blob: string) => memoOf(blob, request, sent);
    const { ask } = this.#options;
    const finding = ask ? await ask(network, anchor.ledgerIndex) : null;
    for (const what of reasonsAgainst({ network, sent, anchor, memo }, finding)) {
      this.#fault(row, what);
    }
  }

  /** Null for data that cannot be read; without what is sealed of them where that does not open. */
  async #read<Data>(row: EventRow, tell = true): Promise<Data | null> {
    const { open = null } = this.#options;
    const clear = parseObject(row.data);
    if (clear === null || open === null) return clear as Data | null;
    try {
      return (await open(row)) as Data;
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      if (tell) this.#fault(row, error.message);
      return clear as Data;
    }
  }

  #fault({ position }: EventRow, what: string): void {
    this.#options.findings.tell({ in: 'ledger', position, column: 'data', what });
  }
}

function parseObject(text: string): object | null {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The memo that the events would have it say; of a plain digest that is sealed, only its form. */
function memoOf(blob: string, request: Requested, sent: Prepared) {
  const { commitment, hashScheme, fileHash: digest } = request;
  const previous = sent.previousTransactionHash ?? null;
  const known = commitment ?? digest;
  if (known !== undefined) return proofMemo({ fileHash: known, hashScheme, previous });
  const text = (hex: unknown) => Buffer.from(String(hex), 'hex').toString('utf8');
  const memos = (decodeCanonical(blob)?.Memos ?? []) as { Memo: Record<string, unknown> }[];
  const [first] = memos.map(({ Memo: { MemoType, MemoFormat, MemoData } }) => {
    return { type: text(MemoType), format: text(MemoFormat), data: text(MemoData) };
  });
  const said = first === undefined ? null : readProofMemo([first]);
  const fileHash = said?.wellFormed === true ? String(said.memo?.fileHash) : 'none';
  return proofMemo({ fileHash, hashScheme, previous });
}
