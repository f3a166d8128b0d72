import type { Claim } from './outcome.ts';

/** How many deliveries one process makes at a time. */
export interface SlotLimits {
  readonly healthy: number;
  /** To endpoints of which nothing but failures is known: they cannot take the others' slots. */
  readonly failing: number;
  readonly perEndpoint: number;
}

/** Which deliveries are under way in this process. */
export class DeliverySlots {
  readonly #limits: SlotLimits;
  readonly #busy = new Map<string, number>();
  #healthy = 0;
  #failing = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** What there is room for. */
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
