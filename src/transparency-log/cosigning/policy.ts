import { type PolicyOf, parsePolicyWith, type WitnessOf } from '../../verifier/log/policy.ts';
import { type NoteVerifier, parseVerifierKey } from '../checkpoint/note-key.ts';
import { type CosignerKey, parseCosignerKey } from './cosigner-key.ts';

/** Logs and witnesses that are trusted, and the witnesses that suffice (C2SP tlog-policy). */
export type Policy = PolicyOf<NoteVerifier, CosignerKey>;
export type Witness = WitnessOf<CosignerKey>;

/** Parses a policy. Throws a `PolicyMistake`, which names the line. */
export function parsePolicy(text: string): Policy {
  return parsePolicyWith(text, readers);
}

/**
 * Parses the lines of the logs that a witness cosigns. All epochs of a log may have the same key,
 * each under its own name. Throws a `PolicyMistake`, which names the line.
 */
export function parseLogs(text: string): readonly NoteVerifier[] {
  return parsePolicyWith(`${text}\nquorum none\n`, readers, { logsMayShareKeys: true }).logs;
}

const readers = { log: parseVerifierKey, witness: parseCosignerKey };
