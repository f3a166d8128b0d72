import type { Decisions, OwnedDecider } from '../decider.ts';
import type { Recorded } from '../event.ts';
import { Refusal } from '../refusal.ts';
import type { IssuerEvent } from './events.ts';

/** A key of the issuer, and its time. Times are ISO 8601. */
export interface IssuerKey {
  /** `NAME+ID+KEY`. */
  readonly key: string;
  readonly publishedAt: string;
  /** Null for the key that signs now. */
  readonly retiredAt: string | null;
  /** Null unless an operator recorded that somebody else may have it. */
  readonly compromisedSince: string | null;
}

/** All keys of the issuer, the first one first. At most one of them, the last, is not retired. */
export type IssuerState = readonly IssuerKey[];

export const issuerDecider = {
  initial: [] as IssuerState,
  evolve,
  ownerOf: () => null,
  publishFirst,
  rotate,
  recordCompromise,
} satisfies OwnedDecider<IssuerState, IssuerEvent> & Decisions;

/** The key that signs now; null before the first one was published. */
export function currentKey(state: IssuerState): IssuerKey | null {
  return state.find(({ retiredAt }) => retiredAt === null) ?? null;
}

/** Throws if an event cannot follow, which is a defect. */
function evolve(state: IssuerState, { type, data, recordedAt }: Recorded<IssuerEvent>) {
  const known = state.find(({ key }) => key === data.key);
  const current = currentKey(state);
  const change = (part: Partial<IssuerKey>): IssuerState =>
    state.map((one) => (one === known ? { ...one, ...part } : one));
  switch (type) {
    case 'IssuerKeyPublished': {
      if (known !== undefined || current !== null) return impossible(type, data.key);
      const key = { key: data.key, publishedAt: recordedAt };
      return [...state, { ...key, retiredAt: null, compromisedSince: null }];
    }
    case 'IssuerKeyRetired':
      if (known === undefined || known !== current) return impossible(type, data.key);
      return change({ retiredAt: recordedAt });
    case 'IssuerKeyCompromised':
      if (known === undefined) return impossible(type, data.key);
      return change({ compromisedSince: data.since });
  }
}

/** Publishes the first key. Appends nothing if there is a key. */
function publishFirst(state: IssuerState, key: string): readonly IssuerEvent[] {
  return state.length > 0 ? [] : [{ type: 'IssuerKeyPublished', data: { key } }];
}

/**
 * Retires the key that signs now, and publishes the next one. Refuses with INVALID_REQUEST if
 * `retire` does not sign now: of two concurrent rotations, one rotates.
 * @param compromisedSince ISO 8601; null if the key was not compromised
 */
function rotate(
  state: IssuerState,
  { retire, next }: { readonly retire: string; readonly next: string },
  compromisedSince: string | null,
): readonly IssuerEvent[] {
  const key = currentKey(state)?.key;
  if (key === undefined || key !== retire) {
    throw new Refusal('INVALID_REQUEST', `the key ${retire} was replaced meanwhile`);
  }
  const compromised =
    compromisedSince === null
      ? []
      : [{ type: 'IssuerKeyCompromised', data: { key, since: compromisedSince } } as const];
  return [
    ...compromised,
    { type: 'IssuerKeyRetired', data: { key } },
    { type: 'IssuerKeyPublished', data: { key: next } },
  ];
}

/**
 * Records that a retired key was compromised `since` then. Appends nothing if that, or an earlier
 * time, is on record. Refuses with INVALID_REQUEST for an unknown key, and for the one that signs.
 */
function recordCompromise(state: IssuerState, key: string, since: string): readonly IssuerEvent[] {
  const known = state.find((one) => one.key === key);
  if (known === undefined) {
    throw new Refusal('INVALID_REQUEST', `the issuer has no key ${key}`);
  }
  if (known.retiredAt === null) {
    throw new Refusal('INVALID_REQUEST', `the key ${key} signs now: replace it instead`);
  }
  const { compromisedSince } = known;
  if (compromisedSince !== null && Date.parse(compromisedSince) <= Date.parse(since)) return [];
  return [{ type: 'IssuerKeyCompromised', data: { key, since } }];
}

function impossible(type: string, key: string): never {
  throw new Error(`${type} of ${key} cannot follow`);
}
