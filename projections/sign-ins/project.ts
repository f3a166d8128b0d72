import type {
  PersonEvent,
  PersonIdentified,
  PersonInvited,
  PersonReinvited,
} from '../../src/domain/person/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { createSignInsTables, type SignInsTables, signInsTables } from './table.ts';

type Folded =
  | PersonInvited
  | PersonReinvited
  | PersonIdentified
  | Extract<PersonEvent, { readonly type: 'PersonRegistered' | 'PersonRemoved' }>;

/** Index of people by address and identity, as HMACs: it holds no names, addresses or identities. */
export const signIns: ErasableProjection = erasable({
  name: 'sign-ins',
  version: 2,
  types: [
    'PersonInvited',
    'PersonReinvited',
    'PersonRegistered',
    'PersonIdentified',
    'PersonRemoved',
  ] satisfies Folded['type'][],
  tables: signInsTables,
  create: createSignInsTables,
  async project(trx, events, named) {
    const tables = trx.$extendTables<SignInsTables>();
    const table = named('sign_ins');
    const set = (event: StoredEvent<Folded>, values: Partial<SignInsTables['sign_ins']>) =>
      tables
        .updateTable(table)
        .set(values)
        .where('organisation_id', '=', event.organisationId ?? '')
        .where('person_id', '=', event.data.personId)
        .execute();
    // People of an erased organisation cannot be read.
    for (const event of events as readonly StoredEvent<Folded>[]) {
      if (event.erased) continue;
      if (event.type === 'PersonInvited') {
        const { organisationId, personId, addressIndex } = event.data;
        const row = { organisation_id: organisationId, person_id: personId };
        const indexes = { address_index: addressIndex, identity_index: null };
        await tables
          .insertInto(table)
          .values({ ...row, ...indexes })
          .execute();
      } else if (event.type === 'PersonReinvited') {
        if (event.data.addressIndex === null) continue;
        await set(event, { address_index: event.data.addressIndex });
      } else if (event.type === 'PersonRegistered') {
        await set(event, { identity_index: null });
      } else if (event.type === 'PersonIdentified') {
        await set(event, { identity_index: event.data.identityIndex });
      } else {
        await tables
          .deleteFrom(table)
          .where('organisation_id', '=', event.organisationId ?? '')
          .where('person_id', '=', event.data.personId)
          .execute();
      }
    }
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<SignInsTables>()
      .deleteFrom(named('sign_ins'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});
