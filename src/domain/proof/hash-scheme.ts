/** Schemes that turn a digest into the anchored value; named and versioned as in the API. */
export const hashSchemes = [
  'sha256-plain-v1',
  'hmac-sha256-nonce-v2',
  'hmac-sha256-nonce-v3',
] as const;
export type HashScheme = (typeof hashSchemes)[number];

export const defaultHashScheme: HashScheme = 'hmac-sha256-nonce-v3';

export function isSalted(scheme: HashScheme): boolean {
  return scheme !== 'sha256-plain-v1';
}
