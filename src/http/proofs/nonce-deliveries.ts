import { setTimeout as delay } from 'node:timers/promises';
import { recordNonceDelivery } from '../../commands/record-nonce-delivery.ts';
import type { OrganisationId, ProofId } from '../../domain/ulid.ts';
import { StoreUnavailable } from '../../event-store/connection-loss.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';

/**
 * Nonces that answers of this process carry. A claim lasts until its answer has failed, or until the
 * event of its delivery is appended. So a nonce is never lost with an answer, and a call that
 * follows a delivery finds the claim or the event.
 */
export interface NonceDeliveries {
  /** Claims the nonce for one answer; null if another answer of this process has it. */
  claim(proofId: ProofId): NonceClaim | null;
  /** Waits for a limited time until the deliveries are recorded. */
  close(): Promise<void>;
}

/** Only the first call of a method has an effect. */
export interface NonceClaim {
  /** The answer was sent whole. Records it in the background. */
  delivered(organisationId: OrganisationId, meta: EventMeta): void;
  /** The answer was not sent, or is sent without the nonce. */
  release(): void;
}

const closeMs = 2_000;

/**
 * While the database is unreachable at most `most` deliveries are remembered. The nonce of another
 * one can be shown to its owner once more.
 */
export function createNonceDeliveries(
  store: Pick<EventStore, 'append'>,
  options: {
    readonly onError: (error: unknown) => void;
    readonly most?: number;
    readonly retryMs?: number;
  },
): NonceDeliveries {
  const { onError, most = 10_000, retryMs = 2_000 } = options;
  const claimed = new Set<ProofId>();
  const recordings = new Set<Promise<void>>();
  const closing = new AbortController();

  const record = async (delivery: Parameters<typeof recordNonceDelivery>[1], meta: EventMeta) => {
    for (;;) {
      try {
        await recordNonceDelivery(store, delivery, meta);
        return;
      } catch (error) {
        onError(error);
        if (!(error instanceof StoreUnavailable) || closing.signal.aborted) return;
        const pause = { ref: false, signal: closing.signal };
        await delay(retryMs, undefined, pause).catch(() => {});
      }
    }
  };

  return {
    claim(proofId) {
      if (claimed.has(proofId)) return null;
      claimed.add(proofId);
      let isOpen = true;
      const end = (): boolean => {
        const wasOpen = isOpen;
        isOpen = false;
        return wasOpen;
      };
      return {
        delivered(organisationId, meta) {
          if (!end()) return;
          if (recordings.size >= most) {
            claimed.delete(proofId);
            return;
          }
          const recording = record({ organisationId, proofId }, meta).finally(() => {
            recordings.delete(recording);
            claimed.delete(proofId);
          });
          recordings.add(recording);
        },
        release() {
          if (end()) claimed.delete(proofId);
        },
      };
    },
    async close() {
      closing.abort();
      const timeUp = new AbortController();
      const wait = delay(closeMs, undefined, { signal: timeUp.signal }).catch(() => {});
      await Promise.race([Promise.all(recordings), wait]);
      timeUp.abort();
    },
  };
}
