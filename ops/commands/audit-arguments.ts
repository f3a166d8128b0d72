import { isValidClassicAddress } from 'ripple-address-codec';
import { Refusal } from '../../src/domain/refusal.ts';
import { type ReadKey, readLogKey } from '../../src/verifier/log/note-key.ts';
import { commaSeparated } from '../terminal/arguments.ts';

export function parseAccounts(text: string): readonly string[] {
  for (const address of commaSeparated(text)) {
    if (isValidClassicAddress(address)) continue;
    throw new Refusal('INVALID_REQUEST', `${address} is not an account of the ledger (r…)`);
  }
  return commaSeparated(text);
}

export function parseAddress(text: string): string {
  return parseHttp(text, 'is not the address of a log: give a URL such as https://HOST');
}

export function parseWebhook(text: string): string {
  return parseHttp(text, 'cannot receive alerts: give a URL such as https://HOST/PATH');
}

/**
 * Refuses all but http:// and https://. `mistake` follows the text. `fetch` refuses a URL with
 * credentials, and names them in its error.
 */
export function parseHttp(text: string, mistake: string): string {
  const url = URL.parse(text);
  if (url !== null && url.username + url.password !== '') {
    const message = `${url.protocol}//…@${url.host} cannot be used: give a URL without user and password`;
    throw new Refusal('INVALID_REQUEST', message);
  }
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return text;
  throw new Refusal('INVALID_REQUEST', `${text} ${mistake}`);
}

export function parseKeys(text: string): readonly ReadKey[] {
  return commaSeparated(text).map((vkey) => {
    const key = readLogKey(vkey);
    if (key === null)
      throw new Refusal('INVALID_REQUEST', `${vkey} is not a key of a log (NAME+ID+KEY)`);
    return key;
  });
}
