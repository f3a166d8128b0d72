import { type OpenedNote, openNote, type Verify } from './check-signatures.ts';
import type { CheckpointNote } from './checkpoint.ts';
import type { ReadKey } from './note-key.ts';

/** Result of verifying a checkpoint. `unsigned`: no signature is under the name of its origin. */
export type VerifiedCheckpoint = OpenedNote | { readonly status: 'unsigned' };

/**
 * Verifies a checkpoint with the known keys of its log: those whose name is the origin. Keys and
 * signatures of other logs and of witnesses are ignored.
 */
export function verifyCheckpoint(
  note: CheckpointNote,
  keys: readonly ReadKey[],
  verify?: Verify,
): VerifiedCheckpoint {
  const isOfLog = ({ name }: { readonly name: string }) => name === note.checkpoint.origin;
  if (!note.signatures.some(isOfLog)) return { status: 'unsigned' };
  return openNote(note, keys.filter(isOfLog), verify);
}
