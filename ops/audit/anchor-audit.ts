import { DatabaseSync } from 'node:sqlite';
import type { Bundle } from '../../src/certificates/bundle.ts';
import type { Check } from '../../src/certificates/check.ts';
import { checkOnLedger, type LedgerFinding } from '../../src/certificates/check-on-ledger.ts';
import { checkTransaction } from '../../src/certificates/check-transaction.ts';
import { checkValidation } from '../../src/certificates/check-validation.ts';
import { decodeCanonical } from '../../src/certificates/decode-canonical.ts';
import type { Anchored, AnchorPrepared, ProofRequested } from '../../src/domain/proof/events.ts';
import { proofMemo, readProofMemo } from '../../src/domain/proof/memo.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import type { Tell } from './fault.ts';

/** What a proof's events say in the clear; a plain scheme's digest and transaction are sealed. */
type Requested = Pick<
  ProofRequested['data'],
  'commitment' | 'hashScheme' | 'network' | 'organisationId'
>;
type Prepared = Omit<AnchorPrepared['data'], 'blob'> & { readonly blob?: string };

/** Asks a server of the ledger for a validated ledger. */
export type AskLedger = (network: Requested['network'], index: number) => Promise<LedgerFinding>;

/**
 * Holds every Anchored event against what came before it in its stream, against the ledger's header
 * and metadata that it keeps, and against the validated ledger itself where there is one to be asked:
 * account, memo, result, index, hash. What it must remember is in a temporary file.
 */
export class AnchorAudit {
  readonly #db = new DatabaseSync('');
  readonly #ask: AskLedger | null;
  readonly #tell: Tell;

  constructor(options: { readonly ask: AskLedger | null; readonly tell: Tell }) {
    this.#ask = options.ask;
    this.#tell = options.tell;
    this.#db.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE open (stream TEXT PRIMARY KEY, requested TEXT, prepared TEXT) WITHOUT ROWID;
      BEGIN`);
  }

  async add(row: EventRow): Promise<void> {
    const { stream, type, data } = row;
    if (type === 'ProofRequested') {
      this.#db.prepare('INSERT OR REPLACE INTO open VALUES (?, ?, NULL)').run(stream, data);
    } else if (type === 'AnchorPrepared') {
      this.#db.prepare('UPDATE open SET prepared = ? WHERE stream = ?').run(data, stream);
    } else if (type === 'Anchored') {
      const known = this.#db.prepare('DELETE FROM open WHERE stream = ? RETURNING *').get(stream);
      const { requested, prepared } = (known ?? {}) as { requested?: string; prepared?: string };
      await this.#check(row, requested ?? null, prepared ?? null);
    }
  }

  close(): void {
    this.#db.close();
  }

  async #check(row: EventRow, requested: string | null, prepared: string | null): Promise<void> {
    const { position } = row;
    const fault = (what: string) => this.#tell({ in: 'ledger', position, column: 'data', what });
    if (requested === null || prepared === null) {
      fault('it is anchored, though no transaction was signed for it');
      return;
    }
    let of: { request: Requested; sent: Prepared; anchor: Anchored['data'] };
    try {
      const anchor = JSON.parse(row.data);
      of = { request: JSON.parse(requested), sent: JSON.parse(prepared), anchor };
    } catch {
      fault('its data, or those of the events before it, cannot be read');
      return;
    }
    if (of.sent.transactionHash !== of.anchor.transactionHash) {
      fault('another transaction was signed for it than is anchored');
      return;
    }
    const { network } = of.request;
    const finding = this.#ask ? await this.#ask(network, of.anchor.ledgerIndex) : unasked;
    for (const what of reasonsAgainst(of, finding)) fault(what);
  }
}

/** Whether the ledger is a standalone one is nothing that an event says. */
export function heldAgainst(bundle: Bundle, finding: LedgerFinding): readonly Check[] {
  const isReached = finding.asked && finding.reached;
  return checkOnLedger(bundle, finding).filter(({ name }) => !isReached || name !== 'network');
}

export const unasked: LedgerFinding = { asked: false, why: 'no --ledger was given' };

function reasonsAgainst(
  of: { readonly request: Requested; readonly sent: Prepared; readonly anchor: Anchored['data'] },
  finding: LedgerFinding,
): readonly string[] {
  const { request, sent, anchor } = of;
  const ledger = finding.asked && finding.reached ? finding.ledger : null;
  const held = ledger?.transactions.find(({ hash }) => hash === anchor.transactionHash);
  // Where it is sealed, it is the ledger's own that is looked at.
  const blob = sent.blob ?? held?.blob ?? null;
  const memo = blob === null ? null : memoOf(blob, request, sent);
  const bundle = {
    anchor: { ...anchor, account: sent.account, network: request.network },
    evidence: { ...anchor, blob: blob ?? '', memo },
  };
  // A bundle has more than these checks read, and than an event can say.
  const checked = bundle as unknown as Bundle;
  const checks: Check[] = [
    ...(memo === null ? [] : checkTransaction(checked)),
    ...checkValidation(checked).filter(({ name }) => blob !== null || name !== 'metadata'),
    ...heldAgainst(checked, finding),
  ];
  return checks
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name, detail }) => `${name}: ${detail}`);
}

/** The memo that the events would have it say; of a plain digest, which is sealed, only its form. */
function memoOf(blob: string, { commitment, hashScheme }: Requested, sent: Prepared) {
  const previous = sent.previousTransactionHash ?? null;
  if (commitment !== null) return proofMemo({ fileHash: commitment, hashScheme, previous });
  const text = (hex: unknown) => Buffer.from(String(hex), 'hex').toString('utf8');
  const memos = (decodeCanonical(blob)?.Memos ?? []) as { Memo: Record<string, unknown> }[];
  const [first] = memos.map(({ Memo: { MemoType, MemoFormat, MemoData } }) => {
    return { type: text(MemoType), format: text(MemoFormat), data: text(MemoData) };
  });
  const said = first === undefined ? null : readProofMemo([first]);
  const fileHash = said?.wellFormed === true ? String(said.memo?.fileHash) : 'none';
  return proofMemo({ fileHash, hashScheme, previous });
}
