import { hashBytes } from '../tree/merkle-hash.ts';
import { decodeBase64 } from './base64.ts';
import type { NoteSigner, NoteVerifier } from './note-key.ts';
import { type OpenedNote, openNote, parseNote, signNote } from './signed-note.ts';

/** What a log says that it holds: so many leaves, with this root (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

/** The text that is signed. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** The checkpoint that a note's text states; null if it states none. Extension lines are passed over. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', digits = '', base64 = '', ...extensions] = text.split('\n');
  const size = Number(digits);
  const root = decodeBase64(base64);
  if (origin === '' || extensions.pop() !== '' || extensions.includes('')) return null;
  if (!/^(0|[1-9]\d*)$/.test(digits) || !Number.isSafeInteger(size)) return null;
  return root?.length === hashBytes ? { origin, size, root } : null;
}

/** The note in which a checkpoint is published: the same for the same keys. */
export function signCheckpoint(checkpoint: Checkpoint, signers: readonly NoteSigner[]): string {
  return signNote(formatCheckpoint(checkpoint), signers);
}

/** What a note says, whoever signed it; null if that is no checkpoint. Nothing is verified. */
export function readCheckpoint(note: string): Checkpoint | null {
  const parsed = parseNote(note);
  return parsed === null ? null : parseCheckpoint(parsed.text);
}

/**
 * Verifies a published checkpoint with the keys that one knows for the log's. The names of a log's
 * keys are its origin: a checkpoint of another origin than its key is `malformed`.
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
  const opened = openNote(note, verifiers);
  if (opened.status !== 'verified') return opened;
  const checkpoint = parseCheckpoint(opened.text);
  if (checkpoint === null || opened.by.some(({ name }) => name !== checkpoint.origin)) {
    return { status: 'malformed' };
  }
  return { status: 'verified', checkpoint, by: opened.by };
}
