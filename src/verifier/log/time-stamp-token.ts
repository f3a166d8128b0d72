import { BadEvidence } from '../evidence/bad-evidence.ts';
import { readToken, type TokenStatements } from '../timestamp/read-token.ts';

/**
 * Reads hash and time of a token in DER, without verifying its signature; null if it is malformed, or
 * of another hash than SHA-256.
 */
export function readTimeStampToken(der: Uint8Array): TokenStatements | null {
  try {
    return readToken(der);
  } catch (error) {
    if (error instanceof BadEvidence) return null;
    throw error;
  }
}
