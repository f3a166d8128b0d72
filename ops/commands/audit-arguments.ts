import { isValidClassicAddress } from 'ripple-address-codec';
import { Refusal } from '../../src/domain/refusal.ts';
import {
  type NoteVerifier,
  parseVerifierKey,
} from '../../src/transparency-log/checkpoint/note-key.ts';
import { commaSeparated } from '../terminal/arguments.ts';

export function parseAccounts(text: string): readonly string[] {
  for (const address of commaSeparated(text)) {
    if (isValidClassicAddress(address)) continue;
    throw new Refusal('INVALID_REQUEST', `${address} is not an account of the ledger (r…)`);
  }
  return commaSeparated(text);
}

export function parseAddress(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === 'https:' || protocol === 'http:') return text;
  throw new Refusal(
    'INVALID_REQUEST',
    `${text} is not a URL of HTTP: give one such as https://HOST`,
  );
}

export function parseKeys(text: string): readonly NoteVerifier[] {
  return commaSeparated(text).map((vkey) => {
    const key = parseVerifierKey(vkey);
    if (key === null)
      throw new Refusal('INVALID_REQUEST', `${vkey} is not a key of a log (NAME+ID+KEY)`);
    return key;
  });
}
