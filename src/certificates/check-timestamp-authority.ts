import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, failed, notChecked, ok } from '../verifier/check/check.ts';
import { isStamped } from '../verifier/check/check-timestamp.ts';

/** Result of verifying the signature of a time-stamp token, or the reason why it was not verified. */
export type TimestampFinding =
  | { readonly asked: false; readonly why: string }
  | { readonly asked: true; readonly holds: false; readonly why: string }
  | {
      readonly asked: true;
      readonly holds: true;
      /** ISO 8601. */
      readonly time: string;
      /** The time may be so many microseconds early or late; null or absent: the token does not say. */
      readonly accuracyMicros?: number | null;
      /** Subject of the certificate that signed the token. */
      readonly authority: string;
    };

/**
 * Reports who vouches for the time in the token. `finding` is null if no certificates were named: then
 * a bundle without a token has no such check.
 */
export function checkTimestampAuthority(bundle: Bundle, finding: TimestampFinding | null): Check[] {
  const name = 'timestamp authority';
  if (finding === null) return isStamped(bundle) ? [notChecked(name, unnamed)] : [];
  if (!finding.asked) return [notChecked(name, finding.why)];
  if (!finding.holds) return [failed(name, finding.why)];
  const { time, accuracyMicros = null, authority } = finding;
  const accuracy = accuracyMicros === null ? '' : ` (accuracy ${inWords(accuracyMicros)})`;
  const detail = `existed no later than ${time}${accuracy}, according to ${authority}. You rely on this authority, and its revocation lists were not asked`;
  return [ok(name, detail)];
}

const unnamed = 'the authority was not checked: name certificates that you trust with --tsa-ca';

/** In the largest unit that gives a whole number. */
function inWords(micros: number): string {
  if (!Number.isFinite(micros)) return 'stated as no possible time';
  if (micros % 1_000_000 === 0) return `${micros / 1_000_000} s`;
  return micros % 1_000 === 0 ? `${micros / 1_000} ms` : `${micros} µs`;
}
