import type { AccountEvent } from '../domain/account/events.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/**
 * Retires an anchoring account: whoever holds it signs nothing more with it, since its next append
 * conflicts with this one; what is under way is settled, and what it anchored still verifies.
 * Resolves with false if it is retired already.
 */
export async function retireAccount(
  store: EventStore,
  { ledgerId, account }: { readonly ledgerId: string; readonly account: string },
  meta: EventMeta,
): Promise<boolean> {
  const stream = streams.account(ledgerId, account);
  return retryOnConflict(async () => {
    const events = await store.readStream(stream);
    if (events.some(({ type }) => type === 'AccountRetired')) return false;
    const retired: AccountEvent = { type: 'AccountRetired', data: { ledgerId, account } };
    const expectedVersion = events.length;
    await store.append(
      [{ organisationId: null, stream, expectedVersion, events: [retired] }],
      meta,
    );
    return true;
  });
}
