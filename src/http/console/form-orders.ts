import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUlid } from '../../domain/ulid.ts';

/**
 * Value of a form's field `once`: the id of what the form is to create, bound to the session. A form
 * that is sent twice names the same id, and is carried out once. `token` is the session's.
 */
export function onceValue(token: string, id: string): string {
  return `${id}.${signature(token, id)}`;
}

/** The id in a field `once`; null if it was not made for this session. */
export function readOnce(token: string, value: string | null): string | null {
  const [id = '', given = ''] = (value ?? '').split('.');
  if (!isUlid(id)) return null;
  const [expected, bytes] = [Buffer.from(signature(token, id)), Buffer.from(given)];
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? id : null;
}

function signature(token: string, id: string): string {
  return createHmac('sha256', token).update(`once ${id}`).digest('base64url');
}
