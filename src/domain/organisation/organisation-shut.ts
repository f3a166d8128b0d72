import { Refusal } from '../refusal.ts';

/**
 * The organisation is being erased or was erased, and accepts nothing new. Nothing was appended.
 */
export class OrganisationShut extends Refusal {
  constructor(organisationId: string) {
    super('COMPANY_SUSPENDED', `organisation ${organisationId} is closed for good`);
    this.name = 'OrganisationShut';
  }
}
