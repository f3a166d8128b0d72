import { Refusal } from '../refusal.ts';

/** The organisation is to be erased, or was: nothing new of it is accepted. Nothing was appended. */
export class OrganisationShut extends Refusal {
  constructor(organisationId: string) {
    super('COMPANY_SUSPENDED', `organisation ${organisationId} is closed for good`);
    this.name = 'OrganisationShut';
  }
}
