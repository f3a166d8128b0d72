import { AnchoringProcess } from './anchoring-process.ts';
import { ApiProcess, type Tenant } from './api-process.ts';
import type { SimulatedAccount } from './simulated-accounts.ts';
import type { World } from './world.ts';

/** A place where a process runs; when it ends, the next one is started there after a while. */
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

  /** For good. */
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

/** Killed, an anchoring process is started again within seconds; refusing to run, by an operator. */
export function anchoringSlot(world: World, signers: readonly SimulatedAccount[]) {
  return new ProcessSlot(world, () => new AnchoringProcess(world, signers), 8_000);
}

export function apiSlot(world: World, tenant: Tenant, waitMs: number) {
  return new ProcessSlot(world, () => new ApiProcess(world, tenant, waitMs), 2_000);
}
