import { createHmac, timingSafeEqual } from 'node:crypto';
import { isPersonToken, type parseInvitation } from '../../../domain/person/invitation-token.ts';
import { isDigest } from '../../../domain/proof/digest.ts';
import { isUlid, type OrganisationId } from '../../../domain/ulid.ts';
import type { SignInSecrets } from '../../../identity/contract.ts';
import { purposeOfInvitation } from '../challenges.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readCookie } from '../read-cookie.ts';

/** The invitation that a sign-in is to accept. */
export type FlowInvitation = NonNullable<ReturnType<typeof parseInvitation>>;

/** A sign-in at the provider that the browser has begun. */
export interface SignInFlow {
  /** Challenge of the browser. All secrets of the flow follow from it. */
  readonly token: string;
  readonly invitation: FlowInvitation | null;
}

/** Time for the person to sign in at the provider. */
export const flowMs = 900_000;

/** Purpose of a flow's challenge: it accepts this invitation, or none. */
export function purposeOfFlow(invitation: FlowInvitation | null): string {
  return invitation === null
    ? 'oidc'
    : purposeOfInvitation('oidc', invitation.organisationId, invitation.invitationHash);
}

/** The secrets that are sent with the browser to the provider, and expected back. */
export function secretsOf(token: string): SignInSecrets {
  const derived = (name: string) => createHmac('sha256', token).update(name).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), codeVerifier: derived('verifier') };
}

/** True if the address at which the browser came back has the state of this flow, once. */
export function isStateOf({ token }: SignInFlow, returned: URLSearchParams): boolean {
  const [given, ...more] = returned.getAll('state').map((text) => Buffer.from(text));
  const expected = Buffer.from(secretsOf(token).state);
  if (given === undefined || more.length > 0 || given.length !== expected.length) return false;
  return timingSafeEqual(given, expected);
}

/**
 * `Set-Cookie` that binds the flow to the browser. It is sent when the provider leads the browser
 * back, which a cookie with `SameSite=Strict` would not be.
 */
export function flowCookie({ token, invitation }: SignInFlow, site: ConsoleSite): string {
  const secure = site.isHttps ? '; Secure' : '';
  const parts = invitation === null ? [] : [invitation.organisationId, invitation.invitationHash];
  const value = [token, ...parts].join('.');
  return `${nameOf(site)}=${value}; Path=/; Max-Age=${flowMs / 1_000}; HttpOnly; SameSite=Lax${secure}`;
}

/** The flow in the request's cookies; null if there is none of its form. */
export function readFlow(header: string | undefined, site: ConsoleSite): SignInFlow | null {
  const value = readCookie(header, nameOf(site), (each) => parseFlow(each) !== null);
  return value === null ? null : parseFlow(value);
}

function parseFlow(value: string): SignInFlow | null {
  const [token = '', organisationId, invitationHash, ...more] = value.split('.');
  if (!isPersonToken(token) || more.length > 0) return null;
  if (organisationId === undefined) return { token, invitation: null };
  if (!isUlid(organisationId) || !isDigest(invitationHash ?? '')) return null;
  const invitation = { organisationId: organisationId as OrganisationId, invitationHash };
  return { token, invitation: invitation as FlowInvitation };
}

function nameOf(site: ConsoleSite): string {
  return `${site.cookie}-oidc`;
}
