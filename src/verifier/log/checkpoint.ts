import { canonicalBase64 } from './canonical-base64.ts';
import { type ReadNote, readSignedNote } from './signed-note.ts';

/** A log's statement of its size in leaves and its root (C2SP tlog-checkpoint). */
export interface ReadCheckpoint {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

/** A note whose text is a checkpoint. Nothing in it is verified. */
export interface CheckpointNote extends ReadNote {
  readonly checkpoint: ReadCheckpoint;
}

/** Reads a note without verifying it; null if it is malformed or no checkpoint. */
export function readCheckpointNote(written: string): CheckpointNote | null {
  const note = readSignedNote(written);
  const checkpoint = note && readCheckpointText(note.text);
  return note && checkpoint && { ...note, checkpoint };
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
