import { type CheckedSignature, checkSignatures } from '../../verifier/log/check-signatures.ts';
import type { ReadKey } from '../../verifier/log/note-key.ts';
import type { ReadNote, ReadSignature } from '../../verifier/log/signed-note.ts';
import { verifyNatively } from '../checkpoint/verify-natively.ts';

/** Signature of a note, with the time that a verified cosignature states. */
type OwnSignature = ReadSignature & Pick<CheckedSignature, 'seconds'>;

/** Returns the signatures of this key that are valid for the text, or of a type not known here. */
export function ownSignatures(key: ReadKey, note: ReadNote): readonly OwnSignature[] {
  const checked = checkSignatures(note, [key], verifyNatively);
  return note.signatures.flatMap((line, at) => {
    const { outcome = 'invalid', seconds = null } = checked[at] ?? {};
    return outcome === 'valid' || outcome === 'unknownType' ? [{ ...line, seconds }] : [];
  });
}
