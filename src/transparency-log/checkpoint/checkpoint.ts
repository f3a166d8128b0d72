import type { CheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import type { OpenedNote } from '../../verifier/log/check-signatures.ts';
import { type ReadCheckpoint, readCheckpointNote } from '../../verifier/log/checkpoint.ts';
import type { ReadKey } from '../../verifier/log/note-key.ts';
import { verifyCheckpoint } from '../../verifier/log/verify-checkpoint.ts';
import type { NoteSigner } from './note-key.ts';
import { signNote } from './signed-note.ts';
import { verifyNatively } from './verify-natively.ts';

/** A log's statement of its size in leaves and its root (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

/** The text to sign. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** The text to sign of a checkpoint whose root is in hex, as events hold it. */
export function textOf({ origin, size, rootHash }: CheckpointMemo): Buffer {
  return Buffer.from(
    formatCheckpoint({ origin, size, root: Buffer.from(rootHash, 'hex') }),
    'utf8',
  );
}

/** Signs a checkpoint as a note for publication. The same keys give the same note. */
export function signCheckpoint(checkpoint: Checkpoint, signers: readonly NoteSigner[]): string {
  return signNote(formatCheckpoint(checkpoint), signers);
}

/**
 * Reads the checkpoint from a note without verifying any signature; null if it is not a checkpoint.
 */
export function readCheckpoint(note: string): Checkpoint | null {
  const checkpoint = readCheckpointNote(note)?.checkpoint;
  return checkpoint ? inBuffer(checkpoint) : null;
}

/** A published checkpoint that was verified with known keys of its log. */
type OpenedCheckpoint =
  | {
      readonly status: 'verified';
      readonly checkpoint: Checkpoint;
      readonly by: readonly ReadKey[];
    }
  | { readonly status: 'malformed' }
  | Exclude<OpenedNote, { readonly status: 'verified' }>;

/**
 * Verifies a published checkpoint as `verifyCheckpoint` does. A checkpoint without any signature under
 * the name of its origin is `malformed`.
 */
export function openCheckpoint(written: string, keys: readonly ReadKey[]): OpenedCheckpoint {
  const note = readCheckpointNote(written);
  if (note === null) return { status: 'malformed' };
  const opened = verifyCheckpoint(note, keys, verifyNatively);
  if (opened.status === 'unsigned') return { status: 'malformed' };
  return opened.status === 'verified'
    ? { ...opened, checkpoint: inBuffer(note.checkpoint) }
    : opened;
}

function inBuffer({ root, ...checkpoint }: ReadCheckpoint): Checkpoint {
  return { ...checkpoint, root: Buffer.from(root) };
}
