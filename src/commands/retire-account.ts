import type { AccountRetired } from '../domain/account/events.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { retryOnConflict } from '../event-store/handling/retry-on-conflict.ts';
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
  await retryOnConflict(async () => {
    const expectedVersion = await store.versionOf(stream);
    await store.append(
      [{ organisationId: null, stream, expectedVersion, events: [retired] }],
      meta,
    );
  });
}
