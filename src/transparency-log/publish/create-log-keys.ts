import { epochKeys } from '../checkpoint/epoch-keys.ts';
import { type CheckpointHistory, createSigningKeys } from '../published/published-checkpoints.ts';

/**
 * Lists the keys of the log that is published under `origin`, including keys of earlier epochs and
 * replaced keys. `seeds` are the seeds of the configured keys, if this process has them.
 */
export function createLogKeys(of: {
  readonly origin: string;
  readonly history: CheckpointHistory;
  readonly seeds: readonly Uint8Array[];
}): () => Promise<readonly string[]> {
  const { origin, history, seeds } = of;
  const signingKeys = createSigningKeys(history);
  return async () => epochKeys({ origin, seeds, signed: await signingKeys() });
}
