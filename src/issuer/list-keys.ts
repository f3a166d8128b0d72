import { issuerDecider } from '../domain/issuer/decider.ts';
import type { IssuerEvent } from '../domain/issuer/events.ts';
import { fold } from '../event-store/handling/load.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { ListedIssuerKey } from './contract.ts';

/** All keys of the issuer with the log positions of their events, newest first. */
export function listKeys(events: readonly StoredEvent<IssuerEvent>[]): readonly ListedIssuerKey[] {
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
