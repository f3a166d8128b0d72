import { Mistake } from './variable.ts';

const maxLength = 200;
const form = 'a URL without scheme, in lower case and at most 200 characters, like example.com/log';

/** Parses the start of the log's name: host, perhaps port, perhaps path. */
export function parseLogOrigin(text: string): string {
  const isUrl =
    URL.canParse(`https://${text}`) &&
    new URL(`https://${text}`).href.startsWith(`https://${text}`);
  if (isUrl && text.length <= maxLength && /^[a-z0-9.-]+(:\d+)?(\/[\w.~%-]+)*$/.test(text))
    return text;
  throw new Mistake(`must be ${form}`);
}

/** Default prefix of the log's name, from the service's own URL. */
export function logOriginOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  return `${host}${pathname.replace(/\/+$/, '')}/log`.replaceAll('+', '%2B');
}
