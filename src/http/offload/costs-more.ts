/** A call on a worker thread must pay for more requests before it continues. */
export class CostsMore extends Error {
  /** Total number of requests that the call counts as. */
  readonly cost: number;

  constructor(cost: number) {
    super(`the call counts as ${cost} requests`);
    this.name = 'CostsMore';
    this.cost = cost;
  }
}
