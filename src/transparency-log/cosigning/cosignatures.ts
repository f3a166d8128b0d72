import { cosignedAt } from '../../verifier/log/cosignature.ts';
import { isQuorum } from '../../verifier/log/policy.ts';
import { type NoteSignature, parseNote } from '../checkpoint/signed-note.ts';
import { type CosignerKey, isOf } from './cosigner-key.ts';
import type { Policy } from './policy.ts';

/** Valid cosignature of a known witness. */
interface Cosigned {
  /** Name of the witness in the policy. */
  readonly witness: string;
  /** Time that the witness states, ISO 8601. */
  readonly at: string;
}

/** Cosignatures of a checkpoint, held against a policy. */
export interface CosignatureFindings {
  readonly cosigned: readonly Cosigned[];
  /** Witnesses whose signature is in the note and invalid. */
  readonly invalid: readonly string[];
  /** Witnesses whose signature is in the note and of a type that is not known here. */
  readonly unknown: readonly string[];
  readonly hasQuorum: boolean;
}

/**
 * Holds the cosignatures of a checkpoint's note against a policy. Signatures of other keys are
 * ignored. Does not verify the signature of the log. Null if the note is malformed.
 */
export function findCosignatures(note: string, policy: Policy): CosignatureFindings | null {
  const parsed = parseNote(note);
  if (parsed === null) return null;
  const cosigned: Cosigned[] = [];
  const invalid: string[] = [];
  const unknown: string[] = [];
  for (const { name: witness, key } of policy.witnesses) {
    const own = parsed.signatures.filter((signature) => isOf(key, signature));
    if (own.length === 0) continue;
    if (key.verify === null) {
      unknown.push(witness);
      continue;
    }
    const seconds = own.map(({ signature }) => key.verify?.(parsed.text, signature) ?? null);
    const valid = seconds.filter((each) => each !== null);
    // An invalid signature of a known key makes the note malformed (C2SP signed-note).
    if (valid.length < own.length) invalid.push(witness);
    else cosigned.push({ witness, at: cosignedAt(Math.min(...valid)).replace('.000Z', 'Z') });
  }
  const names = new Set(cosigned.map(({ witness }) => witness));
  return { cosigned, invalid, unknown, hasQuorum: isQuorum(policy.quorum, names) };
}

/** Returns the signatures of this key that are valid for the text, or of a type not known here. */
export function ownSignatures(
  key: CosignerKey,
  text: string,
  signatures: readonly NoteSignature[],
): readonly NoteSignature[] {
  return signatures.filter(
    (each) => isOf(key, each) && (key.verify === null || key.verify(text, each.signature) !== null),
  );
}
