import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { signNote } from '../../src/transparency-log/checkpoint/signed-note.ts';
import { type Draft, sealed } from './vectors/vector-bases.ts';

/** Name of a log with an override of direction, and a character that nobody sees. */
export const reversedName = 'proofs.example/\u202egol\u200b';

const signer = noteSigner(reversedName, Buffer.alloc(32, 82));

/** The bundle with the checkpoint of a log whose name reverses the text after it. */
export function withReversedLog(draft: Draft): string {
  const { checkpoint } = draft.log;
  const [, ...rest] = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1).split('\n');
  const log = { ...draft.log, checkpoint: signNote([reversedName, ...rest].join('\n'), [signer]) };
  return sealed({ ...draft, log });
}
