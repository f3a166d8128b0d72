import { isIP } from 'node:net';
import { Mistake, parseList, parseWholeNumber } from './variable.ts';

/** Returns a number, or networks in comparable form. A single address becomes a network of one. */
export function parseTrustProxy(text: string): number | readonly string[] {
  if (/^\d+$/.test(text)) return parseWholeNumber(text, 0, 32);
  return parseList(text).map((entry) => {
    const [address = '', bits, ...more] = entry.split('/');
    const family = isIP(address);
    if (family === 0 || more.length > 0) {
      throw new Mistake(
        `must be addresses and networks such as 10.0.0.0/8, or a number of proxies, not ${JSON.stringify(entry)}`,
      );
    }
    const whole = family === 4 ? 32 : 128;
    return `${address}/${bits === undefined ? whole : parseWholeNumber(bits, 0, whole)}`;
  });
}
