import { currentKey, type IssuerState, issuerDecider } from '../domain/issuer/decider.ts';
import { Refusal } from '../domain/refusal.ts';
import { handle } from '../event-store/handling/handle.ts';
import { load } from '../event-store/handling/load.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { type IssuerDeps, issuerName, issuerStream } from './issuer-keys.ts';
import { makePrivateKey } from './private-key.ts';

/** Loads the issuer's keys; empty before the first one was published. */
export async function loadIssuerKeys(store: IssuerDeps['store']): Promise<IssuerState> {
  return (await load(store, await issuerStream(store), issuerDecider)).state;
}

/**
 * Retires the key that signs now, and publishes a new one, in one append. Certificates that are
 * being issued are signed anew. Of concurrent calls one rotates, and the others are refused with
 * INVALID_REQUEST.
 * @param compromisedSince ISO 8601; null if the key was not compromised
 */
export async function rotateIssuerKey(
  deps: IssuerDeps,
  compromisedSince: string | null,
  meta: EventMeta,
): Promise<{ readonly retired: string; readonly published: string }> {
  const keys = await loadIssuerKeys(deps.store);
  const retired = currentKey(keys)?.key;
  if (retired === undefined) {
    throw new Refusal('INVALID_REQUEST', 'the issuer has no key yet: start the service once');
  }
  const next = await makePrivateKey(deps.keyring, keys.length + 1, await issuerName(deps.store));
  const command = (state: IssuerState) =>
    issuerDecider.rotate(state, { retire: retired, next: next.vkey }, compromisedSince);
  await handle(deps.store, await issuerStream(deps.store), issuerDecider, command, meta);
  return { retired, published: next.vkey };
}

/**
 * Records that a retired key was compromised since a time (ISO 8601). Refuses with INVALID_REQUEST
 * for an unknown key, and for the one that signs now.
 */
export async function recordIssuerCompromise(
  { store }: Pick<IssuerDeps, 'store'>,
  { key, since }: { readonly key: string; readonly since: string },
  meta: EventMeta,
): Promise<void> {
  const command = (state: IssuerState) => issuerDecider.recordCompromise(state, key, since);
  await handle(store, await issuerStream(store), issuerDecider, command, meta);
}
