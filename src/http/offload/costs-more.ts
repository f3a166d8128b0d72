/** A call on a worker thread must pay for more requests before it goes on. */
export class CostsMore extends Error {
  /** Requests that the call counts as in all. */
  readonly cost: number;

  constructor(cost: number) {
    super(`the call counts as ${cost} requests`);
    this.name = 'CostsMore';
    this.cost = cost;
  }
}
