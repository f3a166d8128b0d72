import type { Random } from '../../../support/seed.ts';
import type { PlannedFault, Step, StepFault } from './faults.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Effects of a fault on the surroundings of the process. */
export interface FaultActions {
  closeConnections(): void;
  useOurSequence(): void;
}

/** Counts the steps of all processes and returns the fault planned for each. */
export class FaultPlan {
  readonly #planned = new Map<Step, Map<number, StepFault>>();
  readonly #taken = new Map<Step, number>();
  /** When true, no further step fails. */
  over = false;

  constructor(planned: readonly PlannedFault[]) {
    for (const { step, nth, fault } of planned) {
      const ofStep = this.#planned.get(step) ?? new Map<number, StepFault>();
      this.#planned.set(step, ofStep.set(nth, fault));
    }
  }

  next(step: Step): StepFault | null {
    const nth = this.#taken.get(step) ?? 0;
    this.#taken.set(step, nth + 1);
    return this.over ? null : (this.#planned.get(step)?.get(nth) ?? null);
  }

  /** Number of times the step was taken. */
  taken(step: Step): number {
    return this.#taken.get(step) ?? 0;
  }
}

const lateMs = 40_000;
const frozenMs = 30_000;
/** Maximum time until the database notices that a client is gone. */
export const noticedWithinMs = 10_000;

/**
 * All effects of one process on its surroundings, with delays and planned faults. A killed process
 * has no further effects.
 */
export class ProcessEffects {
  readonly #world: EffectsWorld;
  #dead = false;
  #thawed: Promise<void> | null = null;
  /** Consequences of a kill, and of a freeze noticed by others. */
  onKill = () => {};
  onFrozen = () => {};

  constructor(world: EffectsWorld) {
    this.#world = world;
  }

  get dead(): boolean {
    return this.#dead;
  }

  get frozen(): boolean {
    return this.#thawed !== null && !this.#dead;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.onKill();
  }

  freeze(forMs: number): void {
    if (this.#thawed !== null) return;
    const thawed = this.#world.time.sleep(forMs).then(() => {
      if (this.#thawed === thawed) this.#thawed = null;
    });
    this.#thawed = thawed;
    this.onFrozen();
  }

  /** Performs the effect on time or late, or rejects with `failure` before, after or without it. */
  async perform<Result>(
    step: Step,
    effect: () => Result | Promise<Result>,
    failure: () => Error,
  ): Promise<Result> {
    return this.#performWith(this.#next(step), effect, failure);
  }

  /** The same for an effect that takes no time unless a fault befalls it. */
  async performPromptly<Result>(
    step: Step,
    effect: () => Promise<Result>,
    failure: () => Error,
  ): Promise<Result> {
    const fault = this.#next(step);
    return fault === null ? effect() : this.#performWith(fault, effect, failure);
  }

  #next(step: Step): StepFault | null {
    return this.#dead ? null : this.#world.plan.next(step);
  }

  async #performWith<Result>(
    fault: StepFault | null,
    effect: () => Result | Promise<Result>,
    failure: () => Error,
  ): Promise<Result> {
    const { time } = this.#world;
    await this.#pass();
    switch (fault) {
      case 'is not done':
        throw failure();
      case 'is done but reported failed':
        await settled(effect);
        throw failure();
      case 'is done after it was reported failed':
        time.at(this.#world.random() * noticedWithinMs, () => {
          Promise.resolve(effect()).catch(() => {});
        });
        throw failure();
      case 'never gets an answer':
        await settled(effect);
        await time.sleep(lateMs);
        await this.#goOn();
        throw failure();
      case 'is answered only much later':
        await time.sleep(lateMs);
        await this.#goOn();
        break;
      case 'is the last thing that the process prepares before it is killed':
        this.kill();
        break;
      case 'finds the process frozen before it and replaced':
        this.freeze(frozenMs);
        await this.#goOn();
        break;
      default:
        this.#aside(fault);
    }
    await this.#goOn();
    const outcome = await settled(effect);
    if (fault === 'is the last thing that the process does before it is killed') this.kill();
    if (fault === 'leaves the process frozen after it and replaced') this.freeze(frozenMs);
    await this.#pass();
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  #aside(fault: StepFault | null): void {
    const { actions } = this.#world;
    if (fault === 'comes as the connections to the servers are closed') actions.closeConnections();
    if (fault === 'comes just after somebody else used our Sequence') actions.useOurSequence();
  }

  async #pass(): Promise<void> {
    const { time, random, latencyMs } = this.#world;
    if (latencyMs > 0 && random() < 0.5) await time.sleep(random() * latencyMs);
    await this.#goOn();
  }

  async #goOn(): Promise<void> {
    while (this.#thawed !== null && !this.#dead) await this.#thawed;
    // A new promise each time, so that waiting code can be collected.
    if (this.#dead) await new Promise<never>(() => {});
  }
}

export interface EffectsWorld {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly plan: FaultPlan;
  readonly actions: FaultActions;
  readonly latencyMs: number;
}

async function settled<Result>(
  effect: () => Result | Promise<Result>,
): Promise<{ readonly result: Result } | { readonly error: unknown }> {
  try {
    return { result: await effect() };
  } catch (error) {
    return { error };
  }
}
