import type { AccountRetired } from '../domain/account/events.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Retires an anchoring account that was not retired before (`readAnchoring`). Its holder signs no
 * more transactions with it, since the holder's next append conflicts with this one. Open
 * transactions are settled, and existing anchors still verify. Retiring it again changes nothing.
 *
 * Does not read the account's stream. The holder appends to it with each batch, so a decision that
 * took longer than a batch would conflict each time.
 */
export async function retireAccount(
  store: Pick<EventStore, 'versionOf' | 'append'>,
  { ledgerId, account }: AccountRetired['data'],
  meta: EventMeta,
): Promise<void> {
  const stream = streams.account(ledgerId, account);
  const retired: AccountRetired = { type: 'AccountRetired', data: { ledgerId, account } };
  const decide = async () => {
    const expectedVersion = await store.versionOf(stream);
    return { entries: [{ organisationId: null, stream, expectedVersion, events: [retired] }] };
  };
  await handleStreams(store, decide, meta);
}
