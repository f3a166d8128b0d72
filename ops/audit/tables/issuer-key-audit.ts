import type { IssuerState } from '../../../src/domain/issuer/decider.ts';
import type { Keyring } from '../../../src/event-store/keyring.ts';
import { findPrivateKey, issuerOwner } from '../../../src/issuer/private-key.ts';
import type { Findings } from '../findings/findings.ts';

/**
 * Derives every key of the issuer from its private part in `data_keys`, and compares it with the
 * published one. The private part of a retired key may be missing: it signs no more.
 */
export async function auditIssuerKeys(
  keyring: Pick<Keyring, 'find'>,
  keys: IssuerState,
  findings: Findings,
): Promise<void> {
  for (const [index, { key, retiredAt }] of keys.entries()) {
    const number = index + 1;
    const [name = ''] = key.split('+');
    const found = (await findPrivateKey(keyring, number, name))?.vkey ?? null;
    if (found === key || (found === null && retiredAt !== null)) continue;
    const owner = issuerOwner(number);
    const what =
      found === null
        ? `the private part of the issuer's key ${key} is missing (${owner}): restore it from a backup, or run \`ops issuer rotate\``
        : `the private part of the issuer's key ${key} (${owner}) gives another key, ${found}`;
    findings.reportFault({ in: 'data_keys', position: null, column: 'wrapped', what });
  }
}
