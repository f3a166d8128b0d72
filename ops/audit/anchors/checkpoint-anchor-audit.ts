import type { SequencesTaken } from '../../../src/domain/account/events.ts';
import type {
  CheckpointAnchored,
  CheckpointPrepared,
  CheckpointRequested,
} from '../../../src/domain/log/checkpoint-events.ts';
import { type CheckpointMemo, checkpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { LogRestored } from '../../../src/domain/log/events.ts';
import { type Network, networkIds, networks } from '../../../src/domain/network.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { PastTree } from '../history/past-tree.ts';
import { parseObject } from '../rows/parse-object.ts';
import type { AnchorAuditOptions } from './anchor-audit-options.ts';
import { reasonsAgainst } from './reasons-against.ts';
import { reasonsAgainstReplacements } from './reasons-against-replacements.ts';
import { SignedBlobs } from './signed-blobs.ts';

interface Taken {
  readonly stream: string;
  readonly sequence: number;
  readonly size: number;
}

/**
 * Compares every CheckpointAnchored event with the tree over the rows, the earlier request and
 * signature, and the Sequence that its account allocated. Compares it also with its stored ledger
 * header and metadata, and with the validated ledger if one can be asked. Only one checkpoint is
 * open at a time.
 */
export class CheckpointAnchorAudit {
  readonly #options: Pick<AnchorAuditOptions, 'ask' | 'findings'>;
  #requested: CheckpointRequested['data'] | null = null;
  /** The transactions with the newest Sequence, of which one replaces the other. */
  #prepared: readonly CheckpointPrepared['data'][] = [];
  #taken: Taken[] = [];
  readonly #signed: SignedBlobs;

  constructor(options: Pick<AnchorAuditOptions, 'ask' | 'findings'>, signed = new SignedBlobs()) {
    this.#options = options;
    this.#signed = signed;
  }

  async add(row: EventRow, past: PastTree): Promise<void> {
    switch (row.type) {
      case 'SequencesTaken':
        this.#take(row);
        return;
      case 'CheckpointRequested':
        this.#requested = parseObject(row.data);
        this.#taken = [];
        if (this.#requested === null) return; // the audit of the row reports it
        for (const what of this.#reasonsOfTree(row, this.#requested, past)) {
          this.#fault(row, what);
        }
        this.#checkRoot(row, this.#requested, past);
        return;
      case 'CheckpointPrepared': {
        const prepared = parseObject<CheckpointPrepared['data']>(row.data);
        const before = prepared?.replaces ? this.#prepared : [];
        this.#prepared = prepared === null ? [] : [...before, prepared];
        return;
      }
      case 'CheckpointAnchored': {
        const [requested, prepared] = [this.#requested, this.#prepared];
        this.#requested = null;
        for (const what of await this.#reasons(row, past, requested, prepared)) {
          this.#fault(row, what);
        }
        this.#prepared = [];
        this.#checkRoot(row, parseObject<CheckpointAnchored['data']>(row.data), past);
        return;
      }
      case 'LogRestored': {
        const { keptSize, keptRootHash } = parseObject<LogRestored['data']>(row.data) ?? {};
        const root = Buffer.from(String(keptRootHash), 'hex');
        if (past.hasRoot(Number(keptSize), root) === false || Number(keptSize) >= row.position) {
          this.#fault(
            row,
            `the root of the first ${keptSize} events differs from the root that the restore recorded`,
          );
        }
      }
    }
  }

  #take(row: EventRow): void {
    const { taken = [] } = parseObject<SequencesTaken['data']>(row.data) ?? {};
    for (const one of Array.isArray(taken) ? taken : []) {
      if (typeof one !== 'object' || one === null || !('checkpointSize' in one)) continue;
      const { sequence, checkpointSize: size } = one;
      this.#taken.push({ stream: row.stream, sequence, size });
    }
  }

  async #reasons(
    row: EventRow,
    past: PastTree,
    requested: CheckpointRequested['data'] | null,
    prepared: readonly CheckpointPrepared['data'][],
  ): Promise<readonly string[]> {
    const anchor = parseObject<CheckpointAnchored['data']>(row.data);
    if (anchor === null) return ['the data of this event cannot be read'];
    const { transactionHash } = anchor;
    const sent = prepared.find((one) => one.transactionHash === transactionHash) ?? prepared.at(-1);
    if (requested === null || sent === undefined) {
      return [
        'the checkpoint is recorded as anchored, but no earlier event records a signed transaction for it',
      ];
    }
    const reasons = [
      ...this.#reasonsOfTree(row, anchor, past),
      ...reasonsAgainstReplacements(prepared),
    ];
    if (textOf(requested) !== textOf(anchor)) {
      reasons.push('the anchored checkpoint differs from the checkpoint that was requested');
    }
    const account = streams.account(sent.ledgerId, sent.account);
    const isTaken = this.#taken.some(
      ({ stream, sequence, size }) =>
        stream === account && sequence === sent.sequence && size === anchor.size,
    );
    if (!isTaken)
      reasons.push(
        `account: no event records that ${sent.account} took its Sequence for the checkpoint`,
      );
    const network = networkOf(anchor.ledgerId);
    if (network === null)
      return [
        ...reasons,
        `the ledger ${anchor.ledgerId} is not of a network that this release knows`,
      ];
    const { ask, findings } = this.#options;
    findings.compared.anchoredCheckpoints += 1;
    const finding = ask ? await ask(network, anchor.ledgerIndex) : null;
    const memo = () => checkpointMemo(requested);
    const isSigned = (blob: string) => this.#signed.isSigned(blob);
    return [...reasons, ...reasonsAgainst({ network, sent, anchor, memo, isSigned }, finding)];
  }

  /** One change of an event changes the roots of all later checkpoints. */
  #checkRoot(row: EventRow, memo: CheckpointMemo | null, past: PastTree): void {
    const { position } = row;
    if (memo === null || this.#reasonsOfTree(row, memo, past).length > 0) return;
    if (past.hasRoot(memo.size, Buffer.from(memo.rootHash, 'hex')) !== false) return;
    const what = `the root of the first ${memo.size} events differs from the root in the anchored checkpoint`;
    this.#options.findings.reportWrongRoot({ in: 'ledger', position, column: 'data', what });
  }

  /**
   * Returns the reasons why it is no checkpoint of this log. The kept part of a log cannot contain a
   * checkpoint of lost events.
   */
  #reasonsOfTree(
    row: EventRow,
    { origin, size, rootHash }: CheckpointMemo,
    past: PastTree,
  ): readonly string[] {
    if (past.epochs === null || row.stream !== past.stream) {
      return ['the checkpoint is recorded in another stream than that of the log'];
    }
    if (typeof rootHash !== 'string' || !Number.isInteger(size))
      return ['the event does not contain a valid checkpoint'];
    const checkpoint = { origin, size, root: Buffer.from(rootHash, 'hex') };
    const standing = past.epochs.judge(checkpoint);
    if (standing.status !== 'compared') return [standing.what];
    if (size >= row.position)
      return [
        `the checkpoint covers ${size} events, but only ${row.position - 1} events precede it`,
      ];
    return [];
  }

  #fault({ position, stream }: EventRow, what: string): void {
    const fault = { in: 'ledger', position, column: 'data', what } as const;
    const accounts = this.#prepared.map((sent) => streams.account(sent.ledgerId, sent.account));
    this.#options.findings.reportFault(fault, { streams: [stream, ...accounts] });
  }
}

function textOf(memo: CheckpointMemo): string {
  return checkpointMemo(memo).data;
}

/** Network by the number at the start of the ledger's id. */
function networkOf(ledgerId: string): Network | null {
  const id = Number(/^\d+/.exec(ledgerId)?.[0]);
  return networks.find((network) => networkIds[network] === id) ?? null;
}
