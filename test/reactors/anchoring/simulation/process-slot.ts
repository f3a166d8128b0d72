import { AnchoringProcess } from './anchoring-process.ts';
import { ApiProcess, type Tenant } from './api-process.ts';
import type { SimulatedAccount } from './simulated-accounts.ts';
import type { World } from './world.ts';

/** A place for one process at a time. After its end the next one starts there with a delay. */
export class ProcessSlot<Process extends AnchoringProcess | ApiProcess> {
  readonly past: Process[] = [];
  #current: Process;
  readonly #world: World;
  readonly #start: () => Process;
  readonly #downMs: number;
  #closed = false;

  constructor(world: World, start: () => Process, downMs: number) {
    this.#world = world;
    this.#start = start;
    this.#downMs = downMs;
    this.#current = this.#begin();
  }

  get current(): Process {
    return this.#current;
  }

  /** Ends the process and starts no other. */
  close(): void {
    this.#closed = true;
    this.#current.effects.kill();
  }

  #begin(): Process {
    const process = this.#start();
    const { effects } = process;
    const end = effects.onKill;
    effects.onKill = () => {
      end();
      if (this.#closed) return;
      this.#world.time.at(this.#downMs * (0.5 + this.#world.random()), () => {
        if (this.#closed) return;
        this.past.push(process);
        this.#current = this.#begin();
      });
    };
    return process;
  }
}

/** Restarts an anchoring process within seconds after a kill or a refusal to run. */
export function anchoringSlot(world: World, signers: readonly SimulatedAccount[]) {
  return new ProcessSlot(world, () => new AnchoringProcess(world, signers), 8_000);
}

export function apiSlot(world: World, tenant: Tenant, waitMs: number) {
  return new ProcessSlot(world, () => new ApiProcess(world, tenant, waitMs), 2_000);
}
