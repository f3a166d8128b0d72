import type { GapFillPrepared } from '../../../../src/domain/account/events.ts';
import { isReplacement } from '../../../../src/domain/ledger/transaction.ts';
import type { PreparedAnchor } from '../../../../src/domain/proof/state.ts';
import type { StoredEvent } from '../../../../src/event-store/stored-event.ts';
import { readTransaction } from '../../../../src/ledger/anchor-transaction.ts';
import { hashOfTransaction } from '../../../../src/ledger/sha512-half.ts';
import { CheckpointTruth } from './checkpoint-truth.ts';
import { RevisionTruth } from './revision-truth.ts';
import type { ChainEntry, ChainRecord } from './simulated-chain.ts';
import type { SimulatedNetwork } from './simulated-network.ts';

/** True if only the fee differs, which is higher: the memo has to stay the same. */
function replaces(last: Signed, next: Signed): boolean {
  const memosOf = ({ blob }: Signed) => JSON.stringify(readTransaction(blob).memos);
  return isReplacement(last, next) && memosOf(last) === memosOf(next);
}

function isSameSequence(one: Signed, other: Signed): boolean {
  return (
    one.ledgerId === other.ledgerId &&
    one.account === other.account &&
    one.sequence === other.sequence
  );
}

type Signed = GapFillPrepared['data'] | PreparedAnchor;

/** A signed transaction and the stream that records it. */
interface OfStream {
  readonly stream: string;
  readonly signed: Signed;
}

/**
 * Compares each claim of the log with the ledger at the moment of the claim. All chains are known
 * here as they really are.
 */
export class Truth {
  /** Wrong claims, in words. */
  readonly violations: string[] = [];
  /** Number of replacements on record. */
  replacements = 0;
  /** Number of transactions that were first submitted after the ledger that was open when they were signed. */
  ahead = 0;
  readonly #network: SimulatedNetwork;
  readonly #ledgers = new Map<string, ChainRecord>();
  readonly #gone = new Set<string>();
  /** Everything ever signed, by transaction hash. */
  readonly #signed = new Map<string, OfStream>();
  readonly #open = new Set<string>();
  /** Recorded transactions that the log has lost, and that it has not recorded again. */
  readonly #lost = new Map<string, OfStream>();
  #hasLost = false;
  /** Streams of proofs that were given up, which the log has lost. */
  readonly #lostGivenUp = new Set<string>();
  #isRestoring = false;
  readonly #submitted = new Set<string>();
  readonly #openProofs = new Set<string>();
  readonly #revisions = new RevisionTruth();
  readonly #checkpoints = new CheckpointTruth();

  constructor(network: SimulatedNetwork) {
    this.#network = network;
  }

  /** Recorded transactions without a recorded outcome. */
  get open(): ReadonlySet<string> {
    return this.#open;
  }

  /** Streams of unsettled proofs. */
  get openProofs(): ReadonlySet<string> {
    return this.#openProofs;
  }

  get checkpoints(): CheckpointTruth {
    return this.#checkpoints;
  }

  isGone(ledgerId: string): boolean {
    return this.#gone.has(ledgerId);
  }

  joined(): ReadonlyMap<string, ChainRecord> {
    return this.#ledgers;
  }

  /** Successful transactions of a proof on ledgers that still exist. */
  successesOf(stream: string): ChainEntry[] {
    const own = [...this.#signed.values()].filter((one) => one.stream === stream);
    return own.flatMap(({ signed }) => {
      if (this.#gone.has(signed.ledgerId)) return [];
      const entry = this.#entryOf(signed);
      return entry?.result === 'tesSUCCESS' ? [entry] : [];
    });
  }

  entryOf(transactionHash: string): ChainEntry | undefined {
    const own = this.#signed.get(transactionHash);
    return own && this.#entryOf(own.signed);
  }

  submitted(blob: string): void {
    const hash = hashOfTransaction(Buffer.from(blob, 'hex'));
    const signed = this.#signed.get(hash)?.signed;
    if (signed === undefined) this.#wrong(`${hash} is submitted before it is recorded`);
    else if (!this.#submitted.has(hash) && this.#tipOf(signed) > signed.minLedger) this.ahead += 1;
    this.#submitted.add(hash);
    if (this.#hasLost) this.#checkLost(hash);
  }

  /** The log has lost its newest events, and has those of `kept` left. */
  lost(lost: readonly StoredEvent[], kept: readonly StoredEvent[]): void {
    this.#hasLost = true;
    for (const event of lost) {
      if (event.type === 'AnchorRefused') this.#lostGivenUp.add(event.stream);
      if (event.type !== 'AnchorPrepared' && event.type !== 'GapFillPrepared') continue;
      const { stream, data: signed } = event;
      this.#lost.set(signed.transactionHash, { stream, signed });
    }
    this.#open.clear();
    this.#openProofs.clear();
    for (const { stream, ...event } of kept) {
      switch (event.type) {
        case 'ProofRequested':
          this.#openProofs.add(stream);
          break;
        case 'AnchorPrepared':
        case 'GapFillPrepared':
          this.#open.add(event.data.transactionHash);
          break;
        case 'Anchored':
        case 'AnchorExpired':
        case 'GapFillSettled': {
          const own = this.#signed.get(event.data.transactionHash)?.signed;
          this.#open.delete(event.data.transactionHash);
          for (const other of own ? this.#openWith(own) : []) {
            this.#open.delete(other.signed.transactionHash);
          }
          if (event.type === 'Anchored') this.#openProofs.delete(stream);
          break;
        }
        case 'ProofWithdrawn':
        case 'AnchorRefused':
          this.#openProofs.delete(stream);
          break;
        default:
      }
    }
  }

  /** Streams of everything ever signed, also of what the log has lost. */
  get streams(): ReadonlySet<string> {
    return new Set([...this.#signed.values()].map(({ stream }) => stream));
  }

  appended(event: StoredEvent): void {
    const { stream } = event;
    const misnamed = this.#revisions.appended(event);
    if (misnamed !== null && !this.#hasLost) this.#wrong(misnamed);
    const untrue = this.#checkpoints.appended(event);
    if (untrue !== null && !this.#hasLost) this.#wrong(untrue);
    switch (event.type) {
      case 'LedgerJoined':
        this.#join(event.data);
        break;
      case 'LedgerGone':
        this.#gone.add(event.data.ledgerId);
        break;
      case 'ProofRequested':
        this.#openProofs.add(stream);
        break;
      case 'AnchorPrepared':
      case 'GapFillPrepared':
        this.#prepare(stream, event.data);
        break;
      case 'CheckpointPrepared':
        this.#prepare(this.#checkpoints.current, event.data);
        break;
      case 'CheckpointAnchored':
        this.#anchor(this.#checkpoints.current, event.data);
        break;
      case 'CheckpointExpired':
        this.#settle(event.data.transactionHash, event.data.reason, null);
        break;
      case 'CheckpointRefused':
        this.#settle(event.data.transactionHash, 'failed', event.data.engineResult);
        break;
      case 'Anchored':
        this.#openProofs.delete(stream);
        this.#anchor(stream, event.data);
        break;
      case 'AnchorExpired':
        this.#settle(event.data.transactionHash, event.data.reason, event.data.engineResult);
        break;
      case 'GapFillSettled': {
        const { transactionHash, outcome } = event.data;
        this.#settle(transactionHash, outcome, null);
        break;
      }
      case 'ProofWithdrawn':
        this.#openProofs.delete(stream);
        // A caller's wait may end before anybody notices that the log has lost a signature.
        if (!this.#hasLost && this.successesOf(stream).length > 0) {
          this.#wrong(`${stream} withdrawn, but anchored`);
        }
        break;
      case 'LogRestored':
        this.#isRestoring = true;
        break;
      case 'LogReconciled':
        this.#isRestoring = false;
        break;
      case 'AnchorRefused':
        this.#openProofs.delete(stream);
        if (this.#isRestoring && !this.#lostGivenUp.has(stream)) {
          this.#wrong(`${stream} is given up by the restore, but was not before`);
        }
        if (!this.#hasLost && this.successesOf(stream).length > 0) {
          this.#wrong(`${stream} given up, but anchored`);
        }
        break;
      default:
    }
  }

  #join({ ledgerId, hash }: { readonly ledgerId: string; readonly hash: string }): void {
    const record = this.#network.records.find((one) => one.hasLedger(hash));
    if (record) this.#ledgers.set(ledgerId, record);
    else this.#wrong(`joined ${ledgerId}, which is not the network's ledger`);
  }

  #prepare(stream: string, signed: Signed): void {
    this.#lost.delete(signed.transactionHash);
    const last = this.#openWith(signed).at(-1);
    // `log restored` records what is on the ledger. The log may have lost that others are not.
    const isRestored = this.#hasLost && this.#entryOf(signed)?.result === 'tesSUCCESS';
    if (
      !isRestored &&
      last !== undefined &&
      !(last.stream === stream && replaces(last.signed, signed))
    ) {
      this.#wrong(`Sequence ${signed.sequence} is given out twice, to ${stream} too`);
    }
    if (last === undefined && signed.replaces !== null) {
      this.#wrong(`${stream}: ${signed.replaces} is replaced, but not open`);
    }
    if (last !== undefined) this.replacements += 1;
    if (!this.#ledgers.has(signed.ledgerId)) this.#wrong(`${signed.ledgerId} was never joined`);
    this.#signed.set(signed.transactionHash, { stream, signed });
    this.#open.add(signed.transactionHash);
  }

  /**
   * Nothing is submitted twice: neither for a proof nor with a Sequence. This concerns pairs of which the log has lost
   * the older one. A pair in the other order was signed before the loss: the older one had expired, or the newer one
   * replaces it.
   */
  #checkLost(hash: string): void {
    const pairs: (readonly [OfStream, OfStream])[] = [];
    const own = this.#signed.get(hash);
    if (own === undefined) return;
    let isOlder = true;
    for (const other of this.#signed.values()) {
      if (other === own) isOlder = false;
      else pairs.push(isOlder ? [other, own] : [own, other]);
    }
    for (const [older, newer] of pairs) {
      const isLost = this.#lost.has(older.signed.transactionHash);
      if (!isLost || this.#lost.has(newer.signed.transactionHash)) continue;
      if (older.signed.ledgerId !== newer.signed.ledgerId) continue;
      const isOfProof = older.stream === newer.stream && older.stream.startsWith('proof-');
      const is = isSameSequence(older.signed, newer.signed)
        ? this.#mayCome(older.signed) && this.#mayCome(newer.signed)
        : isOfProof && this.#mayCount(older.signed) && this.#mayCount(newer.signed);
      if (!is) continue;
      const [lost, known] = [older, newer].map(({ signed }) => signed.transactionHash);
      this.#wrong(
        `${known} of ${newer.stream} is submitted beside ${lost}, which the log has lost`,
      );
    }
  }

  /** A future ledger can contain the transaction. */
  #mayCome(signed: Signed): boolean {
    const { transactionHash: hash, lastLedgerSequence } = signed;
    const isOn = this.#entryOf(signed) !== undefined;
    return !isOn && this.#submitted.has(hash) && this.#tipOf(signed) < lastLedgerSequence;
  }

  #tipOf({ ledgerId }: Signed): number {
    return this.#ledgers.get(ledgerId)?.tip ?? 0;
  }

  /** The transaction is on the ledger, or may come. */
  #mayCount(signed: Signed): boolean {
    return this.#entryOf(signed)?.result === 'tesSUCCESS' || this.#mayCome(signed);
  }

  #anchor(
    stream: string,
    claim: {
      readonly ledgerId: string;
      readonly transactionHash: string;
      readonly ledgerIndex: number;
      readonly ledgerHash: string;
      readonly transactionIndex: number;
    },
  ): void {
    const { transactionHash: hash, ledgerId } = claim;
    const entry = this.#ledgers.get(ledgerId)?.entries.get(hash);
    const isTrue =
      this.#signed.get(hash)?.signed.ledgerId === ledgerId &&
      entry?.result === 'tesSUCCESS' &&
      entry.index === claim.ledgerIndex &&
      entry.ledgerHash === claim.ledgerHash &&
      entry.place === claim.transactionIndex;
    if (!isTrue)
      this.#wrong(`${stream} anchored at ${claim.ledgerIndex}: the ledger does not say so`);
    this.#open.delete(hash);
    const signed = this.#signed.get(hash)?.signed;
    if (signed) this.#closeOthers(signed, 'validated');
  }

  /** Open transactions with the same Sequence, the oldest first. */
  #openWith(signed: Signed): OfStream[] {
    return [...this.#open].flatMap((hash) => {
      const own = this.#signed.get(hash);
      return own !== undefined && isSameSequence(own.signed, signed) ? [own] : [];
    });
  }

  /** The fate of a transaction settles all open ones with its Sequence: none is on the ledger. */
  #closeOthers(signed: Signed, outcome: string): void {
    const tip = this.#ledgers.get(signed.ledgerId)?.tip ?? 0;
    for (const { stream, signed: other } of this.#openWith(signed)) {
      const { transactionHash: hash, lastLedgerSequence } = other;
      this.#open.delete(hash);
      const isThere = this.#entryOf(other) !== undefined && outcome !== 'ledgerGone';
      if (isThere) this.#wrong(`${stream}: ${hash} is on the ledger, unlike its replacement`);
      if (outcome === 'absent' && tip < lastLedgerSequence) {
        this.#wrong(`${stream}: ${hash} is absent too early`);
      }
    }
  }

  #settle(hash: string, outcome: string, engineResult: string | null): void {
    const own = this.#signed.get(hash);
    if (own === undefined) {
      this.#wrong(`${hash} is settled but was never signed`);
      return;
    }
    const { signed, stream } = own;
    if (!this.#open.delete(hash) && !this.#hasLost)
      this.#wrong(`${hash} of ${stream} is settled twice`);
    this.#closeOthers(signed, outcome);
    const record = this.#ledgers.get(signed.ledgerId);
    const entry = this.#entryOf(signed);
    const tip = record?.tip ?? 0;
    const isTrue =
      outcome === 'ledgerGone'
        ? this.#gone.has(signed.ledgerId)
        : outcome === 'absent'
          ? entry === undefined && tip >= signed.lastLedgerSequence
          : outcome === 'validated'
            ? entry !== undefined
            : entry?.result === engineResult && engineResult !== 'tesSUCCESS';
    if (!isTrue)
      this.#wrong(`${stream}: ${hash} is ${outcome}, but the ledger has ${entry?.result}`);
  }

  #entryOf(signed: Signed): ChainEntry | undefined {
    return this.#ledgers.get(signed.ledgerId)?.entries.get(signed.transactionHash);
  }

  #wrong(what: string): void {
    this.violations.push(`${Math.round(this.#network.nowMs)} ms: ${what}`);
  }
}
