import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Digest } from '../domain/proof/digest.ts';

const file = new URL('../pages/verify.py', import.meta.url);

/** The verifier that the service serves at `/verify.py`. */
export interface VerifierProgram {
  readonly bytes: Buffer;
  readonly sha256: Digest;
}

let read: VerifierProgram | undefined;

/** Reads the verifier once: its bytes do not change while the process lives. */
export function verifierProgram(): VerifierProgram {
  if (read === undefined) {
    const bytes = readFileSync(file);
    read = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') as Digest };
  }
  return read;
}
