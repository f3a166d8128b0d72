import { epochKeys } from '../checkpoint/epoch-keys.ts';
import { type CheckpointHistory, createSigningKeys } from './published-checkpoints.ts';

/**
 * Lists the keys of the log that is published under `origin`, those of earlier epochs and of keys exchanged
 * since included. `seeds` are those of the configured keys, where the process has them.
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
