import { Refusal } from '../refusal.ts';

/** Use of a month's allowance, in documents. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
}

/** The organisation has no unit left this month. */
export class AllowanceExceeded extends Refusal {
  readonly usage: Usage;

  constructor(used: number, limit: number) {
    super(
      'ENTITLEMENT_EXCEEDED',
      `the upload allowance of this month is used up: ${used} of ${limit} documents`,
    );
    this.name = 'AllowanceExceeded';
    this.usage = { used, limit, remaining: Math.max(0, limit - used) };
  }
}
