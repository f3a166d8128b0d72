import { decodeCanonical } from '../../../src/certificates/decode-canonical.ts';
import { networks } from '../../../src/domain/network.ts';
import { commit } from '../../../src/domain/proof/commit.ts';
import type { Anchored, AnchorPrepared, ProofRequested } from '../../../src/domain/proof/events.ts';
import { proofMemo, readProofMemo } from '../../../src/domain/proof/memo.ts';
import { UnreadableEvent } from '../../../src/event-store/decode.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { BoundedMap } from '../bounded/bounded-map.ts';
import type { PastTree } from '../history/past-tree.ts';
import { parseObject } from '../rows/parse-object.ts';
import type { AnchorAuditOptions } from './anchor-audit-options.ts';
import { AttestationAudit } from './attestation-audit.ts';
import { CheckpointAnchorAudit } from './checkpoint-anchor-audit.ts';
import { OpenProofs } from './open-proofs.ts';
import { reasonsAgainst } from './reasons-against.ts';
import { reasonsAgainstReplacements } from './reasons-against-replacements.ts';
import { SignedBlobs } from './signed-blobs.ts';

/** Data of a proof's events; encrypted fields only if they could be decrypted. */
type Requested = Pick<
  ProofRequested['data'],
  'commitment' | 'hashScheme' | 'network' | 'organisationId'
> &
  Partial<Pick<ProofRequested['data'], 'fileHash' | 'nonce'>>;
type Prepared = Omit<AnchorPrepared['data'], 'blob'> & { readonly blob?: string };

/** Transactions are anchored soon after they were signed, so few of them are open. */
const mostKnown = 10_000;

/**
 * Compares every Anchored event with the earlier events of its stream, and with its stored ledger
 * header and metadata. Compares it also with the validated ledger if one can be asked: account,
 * memo, result, index and hash. Audits each CheckpointAnchored event in the same way, and the
 * evidence of every attested ledger.
 * With keys, also compares commitments and memos with the encrypted digests. Remembers rows in a
 * temporary file, encrypted as they were stored.
 */
export class AnchorAudit {
  readonly #open = new OpenProofs();
  readonly #options: AnchorAuditOptions;
  readonly #checkpoints: CheckpointAnchorAudit;
  readonly #attestations: AttestationAudit;
  readonly #signed = new SignedBlobs();
  /** Transactions whose signatures a thread has verified. */
  readonly #known = new BoundedMap<string, true>(mostKnown);

  constructor(options: AnchorAuditOptions) {
    this.#options = options;
    this.#checkpoints = new CheckpointAnchorAudit(options, this.#signed);
    this.#attestations = new AttestationAudit(options.findings);
  }

  /**
   * @param past the tree over the events up to this one
   * @param isSigned true if the signature of the row's transaction is known to hold
   */
  async add(row: EventRow, past: PastTree, isSigned = false): Promise<void> {
    const attempted = {
      in: 'ledger',
      position: row.position,
      column: 'data',
      what: 'the anchor',
    } as const;
    await this.#options.findings.attempt(
      attempted,
      () => this.#add(row, past, isSigned),
      undefined,
    );
  }

  close(): void {
    this.#open.close();
    this.#attestations.close();
  }

  async #add(row: EventRow, past: PastTree, isSigned: boolean): Promise<void> {
    const { stream, type } = row;
    if (type === 'ProofRequested') {
      this.#open.request(row);
      await this.#checkCommitment(row);
    } else if (type === 'AnchorPrepared') {
      // A replacement joins the transactions of its Sequence; any other begins anew.
      const { replaces, blob } = (parseObject(row.data) ?? {}) as Partial<Prepared>;
      this.#open.prepare(row, Boolean(replaces));
      if (isSigned && blob !== undefined) this.#known.set(blob, true);
    } else if (type === 'Anchored') {
      const { requested, prepared } = this.#open.take(stream);
      await this.#check(row, requested, prepared);
    } else {
      await this.#checkpoints.add(row, past);
      if (type === 'CheckpointAnchored') this.#remember(row, parseObject(row.data), null);
      this.#attestations.add(row);
    }
  }

  async #checkCommitment(row: EventRow): Promise<void> {
    const { open = null } = this.#options;
    if (open === null) return;
    const requested = await this.#read<Requested>(row);
    const { commitment, nonce, fileHash } = requested ?? {};
    if (!commitment || fileHash === undefined) return;
    this.#options.findings.compared.commitments += 1;
    if (nonce && commit(nonce, fileHash) === commitment) return;
    this.#fault(
      row,
      'commitment: the recorded commitment does not match the file hash and the nonce',
    );
  }

  async #check(
    row: EventRow,
    requested: EventRow | null,
    prepared: readonly EventRow[],
  ): Promise<void> {
    if (requested === null || prepared.length === 0) {
      this.#fault(
        row,
        'the proof is recorded as anchored, but no earlier event records a signed transaction for it',
      );
      return;
    }
    // Faults of the request are reported at its own position.
    const request = await this.#read<Requested>(requested, false);
    const all: Prepared[] = [];
    for (const each of prepared) {
      const read = await this.#read<Prepared>(each);
      if (read !== null) all.push(read);
    }
    const anchor = await this.#read<Anchored['data']>(row);
    // Of the transactions with one Sequence, any may be on the ledger.
    const sent = all.find((one) => one.transactionHash === anchor?.transactionHash) ?? all.at(-1);
    if (request === null || sent === undefined || anchor === null) {
      this.#fault(row, 'the data of this event, or of earlier events of the proof, cannot be read');
      return;
    }
    this.#remember(row, anchor, sent.blob ?? null);
    const { network } = request;
    if (!networks.includes(network)) {
      this.#fault(
        row,
        `the proof was requested on the network ${network}, which this release does not know`,
      );
      return;
    }
    const memo = (blob: string) => memoOf(blob, request, sent);
    const isSigned = (blob: string) => this.#known.get(blob) ?? this.#signed.isSigned(blob);
    for (const what of reasonsAgainstReplacements(all)) this.#fault(row, what);
    const { ask } = this.#options;
    const finding = ask ? await ask(network, anchor.ledgerIndex) : null;
    const { compared } = this.#options.findings;
    compared.proofs += 1;
    if (finding?.asked && finding.reached) compared.proofsOnLedger += 1;
    else if (sent.blob === undefined) compared.hiddenMemos += 1;
    for (const what of reasonsAgainst({ network, sent, anchor, memo, isSigned }, finding)) {
      this.#fault(row, what);
    }
  }

  /** Other audits of the row report what is wrong with the data itself. */
  #remember(row: EventRow, anchor: object | null, blob: string | null): void {
    if (anchor === null || !isAnchor(anchor)) return;
    this.#attestations.anchored(row, anchor, blob !== null && isHex(blob) ? blob : null);
  }

  /** Null if the data cannot be read; without the encrypted fields if they cannot be decrypted. */
  async #read<Data>(row: EventRow, reportsFault = true): Promise<Data | null> {
    const { open = null } = this.#options;
    const clear = parseObject(row.data);
    if (clear === null || open === null) return clear as Data | null;
    try {
      return (await open(row)) as Data;
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      if (reportsFault) this.#fault(row, error.message);
      return clear as Data;
    }
  }

  #fault({ position, stream }: EventRow, what: string): void {
    const fault = { in: 'ledger', position, column: 'data', what } as const;
    this.#options.findings.reportFault(fault, { streams: [stream] });
  }
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^(?:[A-Fa-f0-9]{2})+$/.test(value);
}

function isAnchor(data: object): data is Anchored['data'] {
  const { ledgerIndex, ledgerId, ...rest } = data as Partial<Anchored['data']>;
  const { ledgerHash, ledgerHeader, transactionHash, metadata } = rest;
  return (
    Number.isInteger(ledgerIndex) &&
    typeof ledgerId === 'string' &&
    [ledgerHash, ledgerHeader, transactionHash, metadata].every(isHex)
  );
}

/**
 * The memo that follows from the events. For a plain digest that is encrypted, only its form is
 * known.
 */
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
  const parsed = first === undefined ? null : readProofMemo([first]);
  const fileHash = parsed?.wellFormed === true ? String(parsed.memo?.fileHash) : 'none';
  return proofMemo({ fileHash, hashScheme, previous });
}
