import type { CheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { readCheckpointText } from '../../verifier/log/checkpoint.ts';
import type { NoteSigner, NoteVerifier } from './note-key.ts';
import { type OpenedNote, openNote, parseNote, signNote } from './signed-note.ts';

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

/** Parses a note's text; null if it is not a checkpoint. Extension lines are ignored. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const read = readCheckpointText(text);
  return read === null ? null : { ...read, root: Buffer.from(read.root) };
}

/** Signs a checkpoint as a note for publication. The same keys give the same note. */
export function signCheckpoint(checkpoint: Checkpoint, signers: readonly NoteSigner[]): string {
  return signNote(formatCheckpoint(checkpoint), signers);
}

/**
 * Reads the checkpoint from a note without verifying any signature; null if it is not a checkpoint.
 */
export function readCheckpoint(note: string): Checkpoint | null {
  const parsed = parseNote(note);
  return parsed === null ? null : parseCheckpoint(parsed.text);
}

/**
 * Verifies a published checkpoint with the known keys of its log: those whose name is the origin.
 * Keys and signatures of other logs are ignored. A checkpoint without any signature under the name
 * of its origin is `malformed`.
 */
export function openCheckpoint(
  note: string,
  verifiers: readonly NoteVerifier[],
):
  | {
      readonly status: 'verified';
      readonly checkpoint: Checkpoint;
      readonly by: readonly NoteVerifier[];
    }
  | Exclude<OpenedNote, { readonly status: 'verified' }> {
  const parsed = parseNote(note);
  const checkpoint = parsed && parseCheckpoint(parsed.text);
  const isOfLog = ({ name }: { readonly name: string }) => name === checkpoint?.origin;
  if (parsed === null || checkpoint === null || !parsed.signatures.some(isOfLog)) {
    return { status: 'malformed' };
  }
  const opened = openNote(note, verifiers.filter(isOfLog));
  return opened.status === 'verified' ? { status: 'verified', checkpoint, by: opened.by } : opened;
}
