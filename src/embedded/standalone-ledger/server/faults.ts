import type { AmendmentLack } from '../chain/amendment-lack.ts';
import type { LedgerNode } from '../chain/ledger-node.ts';
import type { Manifest } from '../validators/manifest.ts';
import type { ValidatorLie } from '../validators/validation.ts';
import type { Validators } from '../validators/validators.ts';
import { type ChargeLimits, ClientCharge, publicServer } from './client-charge.ts';

/** State of the active faults, which the server checks before it acts. */
export interface FaultState {
  silent: boolean;
  halted: boolean;
  lostBefore: number;
  lostAfter: number;
  slowedDown: number;
  /** Of all clients together, since they share one address. */
  charge: ClientCharge | null;
}

/**
 * Makes a standalone ledger misbehave as real servers do. Counts are used up by the next requests;
 * every other fault stays until it is reset.
 */
export interface Faults {
  /** Drops the answers of the next `count` submits, before or after they take effect. */
  loseSubmitAnswers(when: 'beforeApplying' | 'afterApplying', count?: number): void;
  /** Answers the next `count` requests with `slowDown`. */
  slowDown(count?: number): void;
  /**
   * Charges for requests like the port of a rippled for strangers: warns, then drops the client;
   * null ends this. Clients are administrators otherwise.
   */
  chargeClients(limits?: Partial<ChargeLimits> | null): void;
  /** Closes every connection, by default like a server that drops a client for its load. */
  closeConnections(code?: number, reason?: string): void;
  /** Keeps sockets open, but answers and sends nothing; messages received meanwhile are lost. */
  goSilent(): void;
  speakAgain(): void;
  /** Stops closing ledgers by the timer. */
  haltClosing(): void;
  resumeClosing(): void;
  /** Drops the history of a range of ledgers, bounds included. */
  forgetLedgers(first: number, last: number): void;
  /** Forgets the transactions that were submitted, as rippled does after half an hour. */
  forgetSubmitted(): void;
  /** Requires `factor` times the base fee; 1 is normal. */
  raiseLoadFactor(factor: number): void;
  /** Makes the open ledger look twice as full as allowed, and the queue full. */
  fillQueue(): void;
  emptyQueue(): void;
  /**
   * Behaves like a rippled that lacks an amendment of its network; null ends this. `warned`:
   * `server_info` warns of its majority. `blocked`: the amendment is active, so commands that need
   * the network are answered `amendmentBlocked`.
   */
  lackAmendment(lack: AmendmentLack | null): void;
  /** Lets validators, numbered from 0, miss the next `ledgers` ledgers; 0 ends this. */
  missValidations(validators: readonly number[], ledgers?: number): void;
  /** Sends validations so long after their ledger; 0 is normal. */
  delayValidations(ms: number): void;
  /** Lets a validator sign falsely; null ends this. */
  lieAsValidator(validator: number, lie: ValidatorLie | null): void;
  /**
   * Gives a validator a new signing key, and sends its manifest to the `manifests` stream. The
   * published list has the former manifest until `publishList`.
   */
  rotateValidatorKey(validator: number): Promise<void>;
  /** Publishes the next list of validators, with their present manifests. */
  publishList(): Promise<void>;
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

/** Effects of faults on the server around the node. */
interface FaultEffects {
  closeConnections(code: number, reason: string): void;
  loadChanged(): void;
  delayValidations(ms: number): void;
  rotated(manifest: Manifest): void;
}

export function newFaults(
  state: FaultState,
  { node, validators }: { readonly node: LedgerNode; readonly validators: Validators },
  effects: FaultEffects,
): Faults {
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
    forgetSubmitted() {
      node.seen.clear();
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
    lackAmendment(lack) {
      node.amendmentLack = lack;
    },
    missValidations(missing, ledgers = 1) {
      for (const each of missing) validators.miss(each, ledgers);
    },
    delayValidations(ms) {
      effects.delayValidations(ms);
    },
    lieAsValidator(validator, lie) {
      validators.lie(validator, lie ?? undefined);
    },
    async rotateValidatorKey(validator) {
      effects.rotated(await validators.rotate(validator));
    },
    publishList: () => validators.publish(),
    reset() {
      node.reset();
    },
  };
}
