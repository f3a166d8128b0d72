import { Subject } from 'rxjs';
import { giveUpQueued } from '../../../../ops/ledger/give-up-queued.ts';
import { Refusal } from '../../../../src/domain/refusal.ts';
import type { ProofId } from '../../../../src/domain/ulid.ts';
import { OperatorError } from '../../../../src/errors/operator-error.ts';
import { StoreUnavailable } from '../../../../src/event-store/connection-loss.ts';
import { LedgerUnavailable } from '../../../../src/ledger/ledger-unavailable.ts';
import { LogUnconfirmed } from '../../../../src/transparency-log/guard/check.ts';
import { carryOut, planRestore } from '../../../../src/transparency-log/restore/restore-log.ts';
import { emptyReadModels } from './empty-read-models.ts';
import { createFaultyEventStore } from './faulty-event-store.ts';
import { gatewayOf } from './gateway-of.ts';
import { memoryLeaves } from './memory-event-store.ts';
import { FaultPlan, ProcessEffects } from './process-effects.ts';
import { accounts } from './simulated-accounts.ts';
import type { Surroundings } from './surroundings.ts';

const looksMs = 5_000;

/** Stops the service when a process has found that events are lost, and restores the log. */
export class RestoringOperator {
  readonly #world: Surroundings;
  readonly #started = new Subject<void>();
  #isNeeded = false;
  #isStopped = false;
  /** Number of new epochs. */
  restores = 0;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** True if a process has found a loss that is not settled yet. */
  get isNeeded(): boolean {
    return this.#isNeeded;
  }

  /** A process has found that the database lacks events. */
  call(): void {
    this.#isNeeded = true;
  }

  /** Resolves when processes may start. */
  async mayStart(): Promise<void> {
    while (this.#isStopped) await new Promise<void>((resolve) => this.#started.subscribe(resolve));
  }

  /** Looks from time to time if it is needed. `stop` ends all processes. */
  watch(stop: () => void): void {
    const look = async () => {
      if (this.#isNeeded) {
        this.#isStopped = true;
        stop();
        await this.#restore().catch(() => {});
      }
      this.#world.time.at(looksMs, look);
    };
    this.#world.time.at(looksMs, look);
  }

  /** Gives a queued proof up, as `ops ledger settle --give-up` does: not while events are lost. */
  async giveUp(proofId: ProofId): Promise<void> {
    await this.#atWork((log, networks) => giveUpQueued(log, networks, proofId)).catch(
      (error: unknown) => {
        const isRefused = refusals.some((kind) => error instanceof kind);
        if (!isRefused) throw error;
      },
    );
  }

  async #restore(): Promise<void> {
    await this.#atWork(async (log, networks) => {
      const restore = await planRestore(log, networks, say);
      if (restore !== null) {
        await carryOut(log, restore, { progress: say, report: async () => {} });
        this.restores += 1;
      }
      this.#isNeeded = false;
      this.#isStopped = false;
      this.#started.next();
    });
  }

  /** Works with connections of its own, which take a while to open. */
  async #atWork(work: (log: Log, networks: Networks) => Promise<void>): Promise<void> {
    const { database, time, random, actions, published } = this.#world;
    const plan = new FaultPlan([]);
    const effects = new ProcessEffects({ time, random, actions, plan, latencyMs: 0 });
    const gateway = gatewayOf(this.#world, effects);
    try {
      await time.sleep(looksMs);
      const log = {
        store: createFaultyEventStore(database, effects),
        leaves: memoryLeaves(database.store),
        db: emptyReadModels,
        published,
        meta: { actor: 'operator' },
        now: () => new Date(time.wall.getTime() - time.wallOffsetMs),
      } as unknown as Log;
      const networks = [{ gateway, keys: accounts, checkpointKey: null }];
      // Only the addresses of the keys are read.
      await work(log, networks as unknown as Networks);
    } finally {
      await gateway.close();
    }
  }
}

type Log = Parameters<typeof planRestore>[0] & Parameters<typeof giveUpQueued>[0];
type Networks = Parameters<typeof planRestore>[1] & Parameters<typeof giveUpQueued>[1];

/** Answers that the operator of a faulty service may get. */
const refusals = [Refusal, OperatorError, LogUnconfirmed, StoreUnavailable, LedgerUnavailable];

const say = () => {};
