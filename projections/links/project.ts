import type { LinkEvent } from '../../src/domain/link/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { createLinksTables, type LinksTables, linksTables } from './table.ts';

type ListedEvent = StoredEvent<LinkEvent>;

/** Proofs that their owners share, found by the hash of a link's token. */
export const links: ErasableProjection = erasable({
  name: 'links',
  version: 1,
  types: ['LinkCreated', 'LinkWithdrawn'] satisfies ListedEvent['type'][],
  tables: linksTables,
  create: createLinksTables,
  async project(trx, events, named) {
    const tables = trx.$extendTables<LinksTables>();
    for (const event of events as readonly ListedEvent[]) {
      if (event.type === 'LinkWithdrawn') {
        const { linkId } = event.data;
        await tables.deleteFrom(named('links')).where('link_id', '=', linkId).execute();
        continue;
      }
      const { tokenHash, linkId, organisationId, proofId } = event.data;
      await tables
        .insertInto(named('links'))
        .values({
          token_hash: tokenHash,
          link_id: linkId,
          organisation_id: organisationId,
          proof_id: proofId,
        })
        .execute();
    }
  },
  async erase(trx, organisationIds, named) {
    await trx
      .$extendTables<LinksTables>()
      .deleteFrom(named('links'))
      .where('organisation_id', 'in', organisationIds)
      .execute();
  },
});
