import { Refusal } from '../refusal.ts';

/** Use of an allowance: documents of this month, or bytes of all stored files. */
export interface Usage {
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
  readonly unit: 'documents' | 'bytes';
}

/** An allowance of the organisation does not cover the upload. */
export class AllowanceExceeded extends Refusal {
  readonly usage: Usage;

  constructor(message: string, { used, limit, unit }: Omit<Usage, 'remaining'>) {
    super('ENTITLEMENT_EXCEEDED', message);
    this.name = 'AllowanceExceeded';
    this.usage = { used, limit, remaining: Math.max(0, limit - used), unit };
  }
}
