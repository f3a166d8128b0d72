import { type PolicyOf, parsePolicyWith, type WitnessOf } from '../../verifier/log/policy.ts';
import { type NoteVerifier, parseVerifierKey } from '../checkpoint/note-key.ts';
import { type CosignerKey, parseCosignerKey } from './cosigner-key.ts';

/** Logs and witnesses that are trusted, and the witnesses that suffice (C2SP tlog-policy). */
export type Policy = PolicyOf<NoteVerifier, CosignerKey>;
export type Witness = WitnessOf<CosignerKey>;

/** Parses a policy. Throws a `PolicyMistake`, which names the line. */
export function parsePolicy(text: string): Policy {
  return parsePolicyWith(text, { log: parseVerifierKey, witness: parseCosignerKey });
}
