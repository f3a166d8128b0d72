import { checkSignatures, type Verify } from './check-signatures.ts';
import { readCheckpointNote } from './checkpoint.ts';
import { cosignedAt } from './cosignature.ts';
import { isQuorum, type Policy } from './policy.ts';

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
 * ignored. Does not verify the signature of the log. Null if the note is malformed or no checkpoint.
 */
export function findCosignatures(
  written: string,
  { witnesses, quorum }: Policy,
  verify?: Verify,
): CosignatureFindings | null {
  const note = readCheckpointNote(written);
  if (note === null) return null;
  const cosigned: Cosigned[] = [];
  const invalid: string[] = [];
  const unknown: string[] = [];
  for (const { name: witness, key } of witnesses) {
    const own = checkSignatures(note, [key], verify).filter((line) => line.key !== null);
    if (own.length === 0) continue;
    const seconds = own.flatMap((line) => line.seconds ?? []);
    if (own.some(({ outcome }) => outcome === 'unknownType')) unknown.push(witness);
    // An invalid signature of a known key makes the note malformed (C2SP signed-note).
    else if (seconds.length < own.length) invalid.push(witness);
    else cosigned.push({ witness, at: cosignedAt(Math.min(...seconds)).replace('.000Z', 'Z') });
  }
  const names = new Set(cosigned.map(({ witness }) => witness));
  return { cosigned, invalid, unknown, hasQuorum: isQuorum(quorum, names) };
}
