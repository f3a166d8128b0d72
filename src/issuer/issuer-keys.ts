import { currentKey, type IssuerState, issuerDecider } from '../domain/issuer/decider.ts';
import type { IssuerEvent } from '../domain/issuer/events.ts';
import { originOf } from '../domain/log/origin.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import { fold, load } from '../event-store/handling/load.ts';
import type { Keyring } from '../event-store/keyring.ts';
import type { EventMeta, StoredEvent } from '../event-store/stored-event.ts';
import { loadLog } from '../loading/load-log.ts';
import type { IssuerKeys, ListedIssuerKey, SigningKey } from './contract.ts';
import { findPrivateKey, IssuerKeyMissing, issuerOwner, makePrivateKey } from './private-key.ts';

/** The log, and the keyring that keeps the private parts of the issuer's keys. */
export interface IssuerDeps {
  readonly store: Pick<EventStore, 'append' | 'readLog' | 'readStream' | 'readNewest'>;
  readonly keyring: Pick<Keyring, 'find' | 'create'>;
}

/** Signs with the current key of the log's issuer. */
export function createIssuerKeys(deps: IssuerDeps): IssuerKeys {
  let named: Promise<StreamName<IssuerEvent>> | undefined;
  const streamName = () => {
    named ??= issuerStream(deps.store).catch((error: unknown) => {
      named = undefined;
      throw error;
    });
    return named;
  };
  return {
    async current() {
      const stream = await streamName();
      const { state, version } = await load(deps.store, stream, issuerDecider);
      const known = await signingKey(deps.keyring, state);
      return known === null ? publishFirstKey(deps, stream) : { ...known, stream, version };
    },
    list: async () => listKeys(await deps.store.readStream(await streamName())),
  };
}

/** The stream with the keys of the issuer. Rejects if no log was opened. */
export async function issuerStream(
  store: Pick<EventStore, 'readLog'>,
): Promise<StreamName<IssuerEvent>> {
  const [first] = await store.readLog(0, 1);
  if (first?.type !== 'LogOpened') throw new Error('no log was opened');
  return streams.issuer(first.data.logId);
}

/** Name of the keys that are published now: the log's present name, then `/issuer`. */
export async function issuerName(store: IssuerDeps['store']): Promise<string> {
  const log = await loadLog(store);
  if (log === null) throw new Error('no log was opened');
  return `${originOf(log.state)}/issuer`;
}

/** The key that signs now; null if there is none. Rejects with `IssuerKeyMissing`. */
async function signingKey(
  keyring: IssuerDeps['keyring'],
  state: IssuerState,
): Promise<Pick<SigningKey, 'key' | 'sign'> | null> {
  const current = currentKey(state);
  if (current === null) return null;
  const { key } = current;
  const [name = ''] = key.split('+');
  const number = state.indexOf(current) + 1;
  const signer = await findPrivateKey(keyring, number, name);
  if (signer?.vkey !== key) throw new IssuerKeyMissing(key, issuerOwner(number));
  return { key, sign: signer.sign };
}

/** Publishes the first key of the issuer. Concurrent calls, in any processes, publish the same one. */
async function publishFirstKey(
  deps: IssuerDeps,
  stream: StreamName<IssuerEvent>,
  meta: EventMeta = { actor: 'start' },
): Promise<SigningKey> {
  const first = await makePrivateKey(deps.keyring, 1, await issuerName(deps.store));
  const command = (state: IssuerState) => issuerDecider.publishFirst(state, first.vkey);
  const handled = await handle(deps.store, stream, issuerDecider, command, meta);
  const { state, appended, version } = handled;
  if (appended.length > 0) return { key: first.vkey, sign: first.sign, stream, version };
  const known = await signingKey(deps.keyring, state);
  if (known === null) throw new Error('the issuer has keys, but none of them signs');
  return { ...known, stream, version };
}

/** All keys of the issuer with the log positions of their events, newest first. */
function listKeys(events: readonly StoredEvent<IssuerEvent>[]): readonly ListedIssuerKey[] {
  const { state } = fold(events, issuerDecider);
  return state
    .map((key) => {
      const positionOf = (type: IssuerEvent['type']) =>
        events.findLast((event) => event.type === type && event.data.key === key.key)?.position;
      const publishedPosition = positionOf('IssuerKeyPublished');
      if (publishedPosition === undefined) throw new Error(`${key.key} was never published`);
      return {
        ...key,
        publishedPosition,
        retiredPosition: positionOf('IssuerKeyRetired') ?? null,
        compromisedPosition: positionOf('IssuerKeyCompromised') ?? null,
      };
    })
    .reverse();
}
