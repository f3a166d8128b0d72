import { hexToBytes } from '@noble/hashes/utils.js';
import type { ValidatorFeed } from '../../ledger/validator-feed.ts';
import { type LedgerHeader, readHeader } from '../../verifier/evidence/ledger-header.ts';
import { maxChain } from '../../verifier/evidence/limits.ts';
import type { AttestedLedger, PendingLedger } from './attesting-fold.ts';

const maxHeaders = 2 * maxChain;

/** Headers by hash, asked of servers and kept in memory: a walk that was interrupted goes on. */
export class HeaderChains {
  readonly #feed: Pick<ValidatorFeed, 'header'>;
  readonly #mostHeaders: number;
  /** By lower-case hex, the one that was not used for the longest time first. */
  readonly #headers = new Map<string, LedgerHeader>();
  #isStopped = false;

  /** Beyond `mostHeaders` the least recently used one is forgotten. */
  constructor(feed: Pick<ValidatorFeed, 'header'>, mostHeaders = maxHeaders) {
    this.#feed = feed;
    this.#mostHeaders = mostHeaders;
  }

  /** The header with this hash (lower-case hex), whatever server has it; null if none has. */
  async header(index: number, hash: string): Promise<LedgerHeader | null> {
    const known = this.#use(hash);
    if (known !== null) return known;
    const bytes = await this.#feed.header(index, hash.toUpperCase());
    if (bytes === null) return null;
    const header = readHeader(hexToBytes(bytes));
    const [oldest] = this.#headers.keys();
    if (this.#headers.size >= this.#mostHeaders && oldest !== undefined)
      this.#headers.delete(oldest);
    this.#headers.set(hash, header);
    return header;
  }

  /**
   * The headers after a ledger up to a later one, ascending, asked for backwards by the hashes that
   * they name. Null if no server has one of them now, or if `isOver` before all are known.
   */
  async between(
    ledger: Pick<PendingLedger, 'ledgerIndex'>,
    later: AttestedLedger,
    isOver: () => boolean = () => false,
  ): Promise<readonly LedgerHeader[] | null> {
    const headers: LedgerHeader[] = [];
    let hash = later.ledgerHash.toLowerCase();
    for (let index = later.ledgerIndex; index > ledger.ledgerIndex; index -= 1) {
      const header = this.#use(hash) ?? (isOver() ? null : await this.header(index, hash));
      if (header === null || this.#isStopped) return null;
      headers.push(header);
      hash = header.parentHash;
    }
    return headers.reverse();
  }

  #use(hash: string): LedgerHeader | null {
    const known = this.#headers.get(hash);
    if (known === undefined) return null;
    this.#headers.delete(hash);
    this.#headers.set(hash, known);
    return known;
  }

  /** Forgets all headers. */
  clear(): void {
    this.#headers.clear();
  }

  /** Lets running walks end early. */
  stop(): void {
    this.#isStopped = true;
  }
}
