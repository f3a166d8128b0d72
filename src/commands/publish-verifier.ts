import type { Digest } from '../domain/proof/digest.ts';
import { verifiersDecider } from '../domain/published-verifier/decider.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Records the SHA-256 of the verifier that this process serves, unless the log has it. So the log has
 * every verifier that was ever served, once. Concurrent calls in any processes append one event.
 */
export async function publishVerifier(
  store: Pick<EventStore, 'readStream' | 'append'>,
  sha256: Digest,
  meta: EventMeta,
): Promise<void> {
  const command = (published: readonly Digest[]) => verifiersDecider.publish(published, sha256);
  await handle(store, streams.publishedVerifier, verifiersDecider, command, meta);
}
