import type { LedgerNode } from '../chain/ledger-node.ts';
import { type ChargeLimits, ClientCharge, publicServer } from './client-charge.ts';

/** What the server reads before it does something that a fault may spoil. */
export interface FaultState {
  silent: boolean;
  halted: boolean;
  lostBefore: number;
  lostAfter: number;
  slowedDown: number;
  /** Of all clients together, as they come from one address. */
  charge: ClientCharge | null;
}

/**
 * Tells a standalone ledger to misbehave as real servers do. Counts are used up by the next
 * requests; everything else stays until it is taken back.
 */
export interface Faults {
  /** The next `count` submits get no answer: dropped before taking effect, or applied all the same. */
  loseSubmitAnswers(when: 'beforeApplying' | 'afterApplying', count?: number): void;
  /** The next `count` requests are answered `slowDown`. */
  slowDown(count?: number): void;
  /** Charges for submits as a public server does: warns, then drops the client; null takes it back. */
  chargeClients(limits?: Partial<ChargeLimits> | null): void;
  /** Closes every connection, by default as a server does that drops a client for its load. */
  closeConnections(code?: number, reason?: string): void;
  /** Sockets stay open, but nothing is answered or sent; what arrives meanwhile is lost. */
  goSilent(): void;
  speakAgain(): void;
  /** No ledger is closed by the timer any more. */
  haltClosing(): void;
  resumeClosing(): void;
  /** Drops the history of a range of ledgers, bounds included. */
  forgetLedgers(first: number, last: number): void;
  /** Asks for `factor` times the base fee; 1 is normal. */
  raiseLoadFactor(factor: number): void;
  /** Makes the open ledger look twice as full as it may be and the queue full. */
  fillQueue(): void;
  emptyQueue(): void;
  /** Begins a fresh chain at ledger 2 with other hashes; connections stay open. */
  reset(): void;
}

export function newFaultState(): FaultState {
  return {
    silent: false,
    halted: false,
    lostBefore: 0,
    lostAfter: 0,
    slowedDown: 0,
    charge: null,
  };
}

/** What faults do to the server around the node. */
interface FaultEffects {
  closeConnections(code: number, reason: string): void;
  loadChanged(): void;
}

export function newFaults(state: FaultState, node: LedgerNode, effects: FaultEffects): Faults {
  return {
    loseSubmitAnswers(when, count = 1) {
      if (when === 'beforeApplying') state.lostBefore += count;
      else state.lostAfter += count;
    },
    slowDown(count = 1) {
      state.slowedDown += count;
    },
    chargeClients(limits = {}) {
      state.charge =
        limits === null ? null : new ClientCharge({ ...publicServer, ...limits }, Date.now);
    },
    closeConnections(code = 1008, reason = 'load') {
      effects.closeConnections(code, reason);
    },
    goSilent() {
      state.silent = true;
    },
    speakAgain() {
      state.silent = false;
    },
    haltClosing() {
      state.halted = true;
    },
    resumeClosing() {
      state.halted = false;
    },
    forgetLedgers(first, last) {
      node.history.forget({ first, last });
    },
    raiseLoadFactor(factor) {
      node.loadFactor = factor;
      effects.loadChanged();
    },
    fillQueue() {
      const { metrics } = node.queue;
      node.queue.pretended = {
        open: metrics.expectedLedgerSize * 2,
        queued: metrics.maxQueueSize,
      };
      effects.loadChanged();
    },
    emptyQueue() {
      node.queue.pretended = { open: 0, queued: 0 };
      effects.loadChanged();
    },
    reset() {
      node.reset();
    },
  };
}
