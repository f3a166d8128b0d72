import { type AccountState, accountDecider } from '../domain/account/decider.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Retires an anchoring account. Its holder signs no more transactions with it, since the holder's
 * next append conflicts with this one. Open transactions are settled, and existing anchors still
 * verify. Resolves with false if the account was retired before.
 */
export async function retireAccount(
  store: EventStore,
  { ledgerId, account }: { readonly ledgerId: string; readonly account: string },
  meta: EventMeta,
): Promise<boolean> {
  const stream = streams.account(ledgerId, account);
  const command = (state: AccountState) => accountDecider.retire(state, { ledgerId, account });
  const { appended } = await handle(store, stream, accountDecider, command, meta);
  return appended.length > 0;
}
