import { hkdfSync } from 'node:crypto';
import { OperatorError } from '../errors/operator-error.ts';
import type { Keyring } from '../event-store/keyring.ts';
import { type NoteSigner, noteSigner } from '../transparency-log/checkpoint/note-key.ts';

/** The private part of a key of the issuer is not in the database, or is another one. */
export class IssuerKeyMissing extends OperatorError {
  constructor(key: string, owner: string) {
    super(
      `the private part of the issuer's key ${key} is not in data_keys (${owner}): restore these ` +
        'rows from a backup, or run `ops issuer rotate`',
    );
    this.name = 'IssuerKeyMissing';
  }
}

/** Start of the owners, in the keyring, of the issuer's keys. No organisation's id begins so. */
export const issuerOwners = 'issuer-';

/** Owner, in the keyring, of the issuer's key of a number; numbers count from 1. */
export function issuerOwner(number: number): string {
  return `${issuerOwners}${number}`;
}

/** Signer under a name with the key of a number; null if that was never made. */
export async function findPrivateKey(
  keyring: Pick<Keyring, 'find'>,
  number: number,
  name: string,
): Promise<NoteSigner | null> {
  const keys = await keyring.find(issuerOwner(number));
  if (keys === null) return null;
  const seed = hkdfSync('sha256', keys.dataKey, '', 'proofmark issuer key v1', 32);
  return noteSigner(name, new Uint8Array(seed));
}

/** As `findPrivateKey`. Makes the key if there is none: of concurrent calls, all get the same. */
export async function makePrivateKey(
  keyring: Pick<Keyring, 'find' | 'create'>,
  number: number,
  name: string,
): Promise<NoteSigner> {
  await keyring.create(issuerOwner(number));
  const made = await findPrivateKey(keyring, number, name);
  if (made === null) throw new Error(`${issuerOwner(number)} was made, but is not there`);
  return made;
}
