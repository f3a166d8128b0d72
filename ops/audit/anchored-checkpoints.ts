import type { Bundle } from '../../src/certificates/bundle.ts';
import { checkTransaction } from '../../src/certificates/check-transaction.ts';
import { checkValidation } from '../../src/certificates/check-validation.ts';
import type { SignedTransaction } from '../../src/domain/ledger/transaction.ts';
import type { CheckpointEvent } from '../../src/domain/log/checkpoint-events.ts';
import { type CheckpointMemo, checkpointMemo } from '../../src/domain/log/checkpoint-memo.ts';
import type { LogEvent } from '../../src/domain/log/events.ts';
import { originOf } from '../../src/domain/log/origin.ts';
import { networkIds, networks } from '../../src/domain/network.ts';
import type { EventRow } from '../../src/event-store/stored-event.ts';
import { type AskLedger, heldAgainst, unasked } from './anchor-audit.ts';
import type { Tell } from './fault.ts';

/** The tree over the events so far, as it is computed anew. */
interface Tree {
  readonly position: number;
  root(): Buffer;
}

type Anchored = Extract<CheckpointEvent, { type: 'CheckpointAnchored' }>['data'];

/**
 * Holds every checkpoint that was anchored against the tree over the events that it covers, and
 * against its transaction: what was signed for it, header and metadata, and the validated ledger
 * itself where one can be asked. Remembers a root for each checkpoint.
 */
export class AnchoredCheckpoints {
  readonly #ask: AskLedger | null;
  readonly #tell: Tell;
  /** By size; null until the tree has grown to it. */
  readonly #roots = new Map<number, string | null>();
  #log = { logId: '', epoch: 1 };
  #requested: CheckpointMemo | null = null;
  #prepared: SignedTransaction | null = null;

  constructor(options: { readonly ask: AskLedger | null; readonly tell: Tell }) {
    this.#ask = options.ask;
    this.#tell = options.tell;
  }

  /** To be called with each CheckpointRequested before the first row: its root will be wanted. */
  expect({ type, data }: Pick<EventRow, 'type' | 'data'>): void {
    if (type !== 'CheckpointRequested') return;
    const size = parse<CheckpointMemo>(data)?.size;
    if (Number.isSafeInteger(size)) this.#roots.set(size as number, null);
  }

  /** With each row, in order; `tree` covers it. */
  async add(row: EventRow, tree: Tree): Promise<void> {
    if (this.#roots.has(tree.position)) {
      this.#roots.set(tree.position, tree.root().toString('hex'));
    }
    if (!row.stream.startsWith('log-')) return;
    const data = parse<never>(row.data);
    // That it cannot be read is told of the row itself.
    if (data !== null) await this.#follow(row.position, row.type as LogEvent['type'], data);
  }

  async #follow(position: number, type: LogEvent['type'], data: never): Promise<void> {
    const fault = (what: string) => this.#tell({ in: 'ledger', position, column: 'data', what });
    switch (type) {
      case 'LogOpened':
        this.#log = { ...this.#log, logId: (data as { logId: string }).logId };
        return;
      case 'LogRestored':
        this.#log = { ...this.#log, epoch: (data as { epoch: number }).epoch };
        return;
      case 'CheckpointRequested':
        this.#requested = data;
        return this.#checkRequested(data, fault);
      case 'CheckpointPrepared':
        this.#prepared = data;
        return;
      case 'CheckpointAnchored':
        return this.#checkAnchored(data, fault);
      default:
        return;
    }
  }

  #checkRequested({ origin, size, rootHash }: CheckpointMemo, fault: (what: string) => void): void {
    const own = originOf(this.#log.logId, this.#log.epoch);
    if (origin !== own) fault(`a checkpoint of ${origin} is anchored, the log is ${own}`);
    if (this.#roots.get(size) === rootHash) return;
    fault(`the first ${size} events do not come to the root that is anchored`);
  }

  async #checkAnchored(anchored: Anchored, fault: (what: string) => void): Promise<void> {
    const [memo, prepared] = [this.#requested, this.#prepared];
    this.#prepared = null;
    if (memo === null || prepared?.transactionHash !== anchored.transactionHash) {
      return fault('another transaction was signed for the checkpoint than is anchored');
    }
    if (checkpointMemo(anchored).data !== checkpointMemo(memo).data) {
      fault('another checkpoint was requested than is anchored');
    }
    const [id] = prepared.ledgerId.split('-');
    const network = networks.find((one) => String(networkIds[one]) === id);
    if (network === undefined) return fault(`${prepared.ledgerId} is of no network`);
    const bundle = {
      anchor: { ...anchored, account: prepared.account, network },
      evidence: { ...anchored, blob: prepared.blob, memo: checkpointMemo(memo) },
    } as unknown as Bundle; // it has more than these checks read
    const finding = this.#ask ? await this.#ask(network, anchored.ledgerIndex) : unasked;
    const checks = [
      ...checkTransaction(bundle),
      ...checkValidation(bundle),
      ...heldAgainst(bundle, finding),
    ];
    for (const { name, outcome, detail } of checks) {
      if (outcome === 'failed') fault(`${name}: ${detail}`);
    }
  }
}

function parse<Value>(text: string): Value | null {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
