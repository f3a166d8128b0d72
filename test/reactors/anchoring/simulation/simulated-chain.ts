import type { FinalTransaction } from '../../../../src/embedded/standalone-ledger/chain/build-ledger.ts';
import type { StoredLedger } from '../../../../src/embedded/standalone-ledger/chain/history.ts';
import { LedgerNode } from '../../../../src/embedded/standalone-ledger/chain/ledger-node.ts';
import { parseTransaction } from '../../../../src/embedded/standalone-ledger/codec/parse-transaction.ts';
import { readAccount } from '../../../../src/embedded/standalone-ledger/engine/view.ts';
import { signAnchor } from '../../../../src/ledger/anchor-transaction.ts';
import type { Random } from '../../../support/seed.ts';
import { nodeHistories } from './node-histories.ts';
import { accounts, fundings, type SimulatedAccount } from './simulated-accounts.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A transaction in a validated ledger of a chain. */
export interface ChainEntry {
  readonly index: number;
  readonly ledgerHash: string;
  readonly place: number;
  readonly result: string;
}

/** Everything that a chain ever validated. It outlives the chain, so that claims can be checked. */
export class ChainRecord {
  readonly entries = new Map<string, ChainEntry>();
  readonly ledgers = new Map<number, string>();
  readonly closeTimes = new Map<number, number>();
  /** Sequence of each anchoring account after a ledger. */
  readonly sequences = new Map<number, ReadonlyMap<string, number>>();
  gone = false;

  get tip(): number {
    return Math.max(...this.ledgers.keys());
  }

  note({ header, hash }: Pick<StoredLedger, 'header' | 'hash'>): void {
    this.ledgers.set(header.ledgerIndex, hash);
    this.closeTimes.set(header.ledgerIndex, header.closeTime);
  }

  hasLedger(hash: string): boolean {
    return [...this.ledgers.values()].includes(hash);
  }
}

/** A whole ledger with the real engine. It closes on demand. */
export class SimulatedChain {
  readonly node: LedgerNode;
  readonly #random: Random;
  readonly #tec = new Map<string, boolean>();
  record = new ChainRecord();
  /** Number of next anchoring transactions that fail in the closed ledger. */
  tecs = 0;
  /** Number of next submitted transactions that are accepted and then lost. */
  vanishing = 0;

  constructor(options: { time: VirtualTime; random: Random; networkId: number; place: number }) {
    const { time, random, networkId, place } = options;
    this.#random = random;
    const listener = {
      applied() {},
      closed: (ledger: StoredLedger, final: readonly FinalTransaction[]) =>
        this.#note(ledger, final),
    };
    const limits = { openLedgerLimit: 1_000, openLedgerMaximum: undefined };
    const newChainId = () =>
      Array.from({ length: 64 }, () =>
        Math.floor(random() * 16)
          .toString(16)
          .toUpperCase(),
      ).join('');
    const verdict: LedgerNode['options']['verdict'] = ({ hash, account }) => {
      if (!accounts.some(({ address }) => address === account)) return undefined;
      if (!this.#tec.has(hash)) {
        this.#tec.set(hash, this.tecs > 0);
        this.tecs = Math.max(0, this.tecs - 1);
      }
      return this.#tec.get(hash) ? 'tecNO_PERMISSION' : undefined;
    };
    // The network has its own time, independent of the clocks of processes.
    const clock = () => time.wall.getTime() - time.wallOffsetMs;
    const history = nodeHistories.take(networkId, place);
    this.node = new LedgerNode(
      history,
      { networkId, clock, newChainId, verdict, ...limits },
      listener,
    );
    this.#begin();
  }

  get tip(): StoredLedger {
    return this.node.validated;
  }

  close(): void {
    this.node.close();
  }

  /** Begins another chain, unknown to every process. */
  reset(): ChainRecord {
    const before = this.record;
    this.node.reset();
    this.record = new ChainRecord();
    this.#begin();
    return before;
  }

  /** Submits a transaction of the account by another owner of the key, under the next Sequence. */
  useSequence(account: SimulatedAccount): void {
    const root = readAccount(this.node.open.view, account.address);
    if (root === undefined) return;
    const lastLedgerSequence = this.node.open.ledgerIndex + 4;
    const terms = { sequence: root.Sequence, feeDrops: 1_000, lastLedgerSequence, memo: null };
    this.node.submit(parseTransaction(signAnchor(terms, account.signer).blob), false);
  }

  #begin(): void {
    const { loadFactor, queue } = this.node;
    const { pretended } = queue;
    this.node.loadFactor = 1;
    queue.pretended = { open: 0, queued: 0 };
    for (const funding of fundings) this.node.submit(funding, false);
    this.node.loadFactor = loadFactor;
    queue.pretended = pretended;
    this.record.note(this.tip);
    // A random number of ledgers at the beginning, so that the accounts are funded.
    for (let more = 1 + Math.floor(this.#random() * 3); more > 0; more -= 1) this.close();
  }

  #note({ header, hash }: StoredLedger, final: readonly FinalTransaction[]): void {
    const index = header.ledgerIndex;
    this.record.note({ header, hash });
    final.forEach(({ transaction, result }, place) => {
      this.record.entries.set(transaction.hash, { index, ledgerHash: hash, place, result });
    });
    const sequences = accounts.map(({ address }): [string, number] => {
      return [address, readAccount(this.node.state, address)?.Sequence ?? 0];
    });
    this.record.sequences.set(index, new Map(sequences));
  }
}
