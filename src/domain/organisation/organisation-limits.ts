import { defaultRequestLimits, type RequestLimits } from './plan.ts';

/** Limits of an organisation as a whole, set by an operator; null is the default. */
export interface OrganisationLimits {
  /** Maximum requests of all its keys together. */
  readonly totalRequestsPerMinute: number | null;
  readonly totalRequestsPerDay: number | null;
  /** Maximum number of API keys that are neither revoked nor expired. */
  readonly maxKeys: number | null;
}

export const defaultOrganisationLimits: OrganisationLimits = {
  totalRequestsPerMinute: null,
  totalRequestsPerDay: null,
  maxKeys: null,
};

/** Default maximum of API keys of an organisation. */
export const defaultMaxKeys = 100;

/** Default limits of an organisation, as a multiple of those of one key. */
const keysWorth = 10;

/** Limits, each null if there is none. */
type PerhapsLimits = { readonly [Window in keyof RequestLimits]: number | null };

/**
 * Maximum requests of all keys of an organisation together. An operator may have `set` it. The
 * default is ten times the limit of one key (`ofAKey`), and at least the `highest` limit that an
 * operator gave to a live key.
 */
export function totalRequestLimits(limits: {
  readonly set: PerhapsLimits;
  readonly ofAKey: RequestLimits;
  readonly highest: PerhapsLimits;
}): RequestLimits {
  const { set, ofAKey, highest } = limits;
  return {
    perMinute: set.perMinute ?? derived(ofAKey.perMinute, highest.perMinute),
    perDay: set.perDay ?? derived(ofAKey.perDay, highest.perDay),
  };
}

/** Maximum requests of all keys of an organisation together, if its limits were never changed. */
export const defaultTotalRequestLimits = totalRequestLimits({
  set: { perMinute: null, perDay: null },
  ofAKey: defaultRequestLimits,
  highest: { perMinute: null, perDay: null },
});

/** Maximum items of batches that all keys of an organisation together may post in a day. */
export function totalItemsPerDay(ofAKey: number): number {
  return derived(ofAKey, null);
}

function derived(ofAKey: number, highest: number | null): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(keysWorth * ofAKey, highest ?? 0));
}
