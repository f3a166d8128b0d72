import type { Claim } from './outcome.ts';

/** Maximum number of concurrent deliveries of one process. */
export interface SlotLimits {
  readonly healthy: number;
  /**
   * Deliveries to endpoints that have only failed so far; they cannot take the slots of the others.
   */
  readonly failing: number;
  readonly perEndpoint: number;
}

/** Deliveries under way in this process. */
export class DeliveriesUnderWay {
  readonly #limits: SlotLimits;
  readonly #busy = new Map<string, number>();
  #healthy = 0;
  #failing = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Number of free slots. */
  get room(): SlotLimits {
    const { healthy, failing, perEndpoint } = this.#limits;
    return { healthy: healthy - this.#healthy, failing: failing - this.#failing, perEndpoint };
  }

  get busy(): ReadonlyMap<string, number> {
    return this.#busy;
  }

  take({ webhookId, failing }: Claim): void {
    this.#busy.set(webhookId, (this.#busy.get(webhookId) ?? 0) + 1);
    if (failing) this.#failing += 1;
    else this.#healthy += 1;
  }

  leave({ webhookId, failing }: Claim): void {
    const left = (this.#busy.get(webhookId) ?? 0) - 1;
    if (left > 0) this.#busy.set(webhookId, left);
    else this.#busy.delete(webhookId);
    if (failing) this.#failing -= 1;
    else this.#healthy -= 1;
  }
}
