import { maxBase64 } from '../evidence/limits.ts';
import { integer, text } from './form.ts';

/** Hash in lower-case hex, the notation of this service. */
export const lowerHash = text({ pattern: /^[a-f0-9]{64}$/ });
/** Hash in upper-case hex, the notation of the ledger. */
export const upperHash = text({ pattern: /^[A-F0-9]{64}$/ });
export const bytes = (max: number) => text({ maxLength: 2 * max, pattern: /^(?:[A-F0-9]{2})+$/ });
export const words = (maxLength: number) => text({ maxLength });
export const uint32 = integer(0, 0xffff_ffff);
/** URL of a web page, never opened by the verifier. */
export const address = text({ maxLength: 2_048, pattern: /^https?:\/\/\S+$/ });

/** Valid calendar date and time in UTC, in the format of RFC 3339. */
export const time = text({
  maxLength: 30,
  format: 'date-time',
  pattern:
    /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$/,
});

export const ulid = text({ pattern: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/ });

export const base64 = (max: number) =>
  text({
    maxLength: maxBase64(max),
    pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  });
