import { canonicalBase64 } from './canonical-base64.ts';

/** A log's statement of its size in leaves and its root (C2SP tlog-checkpoint). */
export interface ReadCheckpoint {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/** Reads a note's text; null if it is not a checkpoint. Extension lines are ignored. */
export function readCheckpointText(text: string): ReadCheckpoint | null {
  const [origin = '', digits = '', base64 = '', ...extensions] = text.split('\n');
  const size = Number(digits);
  const root = canonicalBase64(base64);
  if (origin === '' || extensions.pop() !== '' || extensions.includes('')) return null;
  if (!/^(0|[1-9]\d*)$/.test(digits) || !Number.isSafeInteger(size)) return null;
  return root?.length === 32 ? { origin, size, root } : null;
}
