import { decrypt, type EncryptedPersonal, encrypt } from './encryption.ts';
import { indexOf, type Keyring, type OrganisationKeys } from './keyring.ts';
import type { EventMeta, PersonalMeta, StoredEvent } from './stored-event.ts';

/** Owner, in the keyring, of the keys for events that no organisation's keys can encrypt. */
export const serviceOwner = 'service' satisfies EncryptedPersonal['of'];

/** Keys for the personal members of one event; both null if nothing personal is to be stored. */
export interface PersonalKeys {
  readonly organisation: OrganisationKeys | null;
  readonly service: OrganisationKeys | null;
}

/** Returns the keys of the service, and creates them at the first use. */
export async function findServiceKeys(
  keyring: Pick<Keyring, 'find' | 'create'>,
): Promise<OrganisationKeys> {
  const found = await keyring.find(serviceOwner);
  if (found !== null) return found;
  await keyring.create(serviceOwner);
  const created = await keyring.find(serviceOwner);
  if (created === null) throw new Error('the keys of the service were created, but are not there');
  return created;
}

/**
 * Returns the meta as it is stored, with its personal members encrypted and bound to this event.
 * The organisation's keys encrypt them, so erasing the organisation erases them. An event without
 * such keys keeps the operator's name, under the keys of the service, and no address of a client.
 */
export function encryptPersonal(
  { operator, client, ...meta }: EventMeta,
  at: { readonly organisationId: string | null; readonly eventId: string },
  { organisation, service }: PersonalKeys,
): object {
  const context = contextOf(at);
  if (organisation !== null) {
    const shown = client && shownAddress(client, organisation);
    const personal = {
      ...(operator !== undefined && { operator }),
      ...(shown && { client: shown }),
    };
    if (Object.keys(personal).length === 0) return meta;
    return { ...meta, sealed: encryptWith(organisation, personal, context) };
  }
  if (operator === undefined || service === null) return meta;
  return { ...meta, sealed: { ...encryptWith(service, { operator }, context), of: serviceOwner } };
}

function shownAddress(
  { address, hashed }: NonNullable<EventMeta['client']>,
  keys: OrganisationKeys,
): string {
  return hashed ? hashedAddress(address, keys) : address;
}

/** HMAC that stands for an address, and can be compared within one organisation only. */
export function hashedAddress(address: string, keys: OrganisationKeys): string {
  return `hmac:${indexOf(keys, `client-address|${address}`)}`;
}

function encryptWith(keys: OrganisationKeys, personal: PersonalMeta, context: string) {
  const { iv, ct } = encrypt(JSON.stringify(personal), keys.dataKey, context);
  return { k: keys.dataKeyId, iv: iv.toString('base64'), ct: ct.toString('base64') };
}

/**
 * Decrypts the personal members of a stored event's meta. Returns an empty object if there are
 * none, and null if their keys were destroyed.
 */
export async function readPersonal(
  event: Pick<StoredEvent, 'organisationId' | 'eventId' | 'meta'>,
  keyring: Pick<Keyring, 'find'>,
): Promise<PersonalMeta | null> {
  const { sealed } = event.meta;
  if (sealed === undefined) return {};
  const keys = await keyring.find(sealed.of ?? event.organisationId ?? serviceOwner);
  if (keys?.dataKeyId !== sealed.k) return null;
  const parts = { iv: Buffer.from(sealed.iv, 'base64'), ct: Buffer.from(sealed.ct, 'base64') };
  return JSON.parse(decrypt(parts, keys.dataKey, contextOf(event)));
}

/** Differs from the context of an event's data, so that neither ciphertext can replace the other. */
function contextOf(at: { readonly organisationId: string | null; readonly eventId: string }) {
  return `${at.organisationId ?? ''}|${at.eventId}|meta`;
}
