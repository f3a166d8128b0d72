import type { Digest } from '../domain/proof/digest.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { retryOnConflict } from '../event-store/handling/retry-on-conflict.ts';
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
  const stream = streams.publishedVerifier;
  await retryOnConflict(async () => {
    const known = await store.readStream(stream);
    if (known.some(({ data }) => data.sha256 === sha256)) return;
    const events = [{ type: 'VerifierPublished', data: { sha256 } } as const];
    const expectedVersion = known.length;
    await store.append([{ organisationId: null, stream, expectedVersion, events }], meta);
  });
}
