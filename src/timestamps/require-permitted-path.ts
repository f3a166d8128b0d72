import * as asn1js from 'asn1js';
import { BasicConstraints, type Certificate } from 'pkijs';
import { BadToken } from './bad-token.ts';

const keyUsage = '2.5.29.15';

/** Extensions that the library or this module processes, and those without a rule for chains. */
const known = new Set([15, 17, 19, 30, 31, 32, 33, 36, 37, 54].map((part) => `2.5.29.${part}`));

/** Bits digitalSignature and nonRepudiation of a key usage (RFC 5280, 4.2.1.3). */
const signatures = 0xc0;

/**
 * Checks the rules of RFC 5280 for a chain that the library does not: critical extensions, the usage of
 * the signer's key, and the number of issuers that each certificate permits below itself. `path` leads
 * from the signer's certificate to a trusted one. Throws `BadToken`.
 */
export function requirePermittedPath(path: readonly Certificate[]): void {
  for (const { extnID, critical } of path.flatMap(({ extensions = [] }) => extensions)) {
    if (critical && !known.has(extnID)) {
      throw new BadToken(`a certificate has the unknown critical extension ${extnID}`);
    }
  }
  const [signer, ...issuers] = path;
  const usage = signer?.extensions?.find(({ extnID }) => extnID === keyUsage);
  if (usage !== undefined && !isForSignatures(usage.parsedValue)) {
    throw new BadToken('the key of its signer is not for signatures');
  }
  let below = 0;
  for (const issuer of issuers) {
    if (below > mostBelow(issuer)) {
      throw new BadToken('it has more issuers than one of its certificates permits');
    }
    if (!issuer.issuer.isEqual(issuer.subject)) below += 1;
  }
}

function isForSignatures(usage: unknown): boolean {
  const [bits = 0] = usage instanceof asn1js.BitString ? usage.valueBlock.valueHexView : [];
  return (bits & signatures) !== 0;
}

/** Number of issuers that the issuer permits between itself and the signer. */
function mostBelow({ extensions = [] }: Certificate): number {
  const constraints = extensions
    .map(({ parsedValue }): unknown => parsedValue)
    .find((value) => value instanceof BasicConstraints);
  const most = constraints?.pathLenConstraint ?? Number.POSITIVE_INFINITY;
  // The library keeps a number of more than four bytes as it is.
  return most instanceof asn1js.Integer ? Number.POSITIVE_INFINITY : most;
}
