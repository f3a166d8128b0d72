import { Secret } from './secret.ts';
import { Mistake, parseList } from './variable.ts';

/** Only the first key wraps; all keys unwrap. */
export function parseMasterKeys(text: string) {
  const [present, ...former] = text.split(',').map((entry) => parseKey(entry.trim()));
  return { present, former };
}

export function parseLogKeys(text: string): Secret<Buffer>[] {
  return parseList(text).map(parseKey);
}

function parseKey(text: string): Secret<Buffer> {
  const key = Buffer.from(text, 'base64');
  const canonical = key.toString('base64');
  if (key.length === 32 && (text === canonical || `${text}=` === canonical)) return new Secret(key);
  throw new Mistake('must be 32 bytes in base64: make one with `openssl rand -base64 32`');
}
