import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Passkey } from '../../domain/person/events.ts';
import { isUlid, type OrganisationId, type PersonId } from '../../domain/ulid.ts';
import { makeChallenge, takeChallenge } from './challenges.ts';
import type { ConsoleSite } from './console-site.ts';
import type { SessionDeps, SessionPerson } from './sessions.ts';

export interface PasskeyDeps extends SessionDeps {
  readonly randomBytes: (count: number) => Buffer;
}

/** Loaded by the first use: it is large, and few processes need it. */
const library = () => import('@simplewebauthn/server');

const signIn = 'sign-in';

/** Options with which a browser makes a passkey for the person. */
export async function registrationOptions(
  deps: PasskeyDeps,
  site: ConsoleSite,
  whom: SessionPerson & { readonly email: string; readonly purpose: string },
): Promise<object> {
  const { generateRegistrationOptions } = await library();
  const challenge = await makeChallenge(deps, whom.purpose);
  return generateRegistrationOptions({
    rpName: 'Proofmark',
    rpID: site.rpId,
    userID: new Uint8Array(Buffer.from(`${whom.organisationId}${whom.personId}`)),
    userName: whom.email,
    userDisplayName: whom.email,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** The passkey that a browser made; null if the answer is not one to these options. */
export async function verifyRegistration(
  deps: PasskeyDeps,
  site: ConsoleSite,
  { response, purpose }: { readonly response: unknown; readonly purpose: string },
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await library();
  const verified = await checked(
    (challenge) => takeChallenge(deps, purpose, challenge),
    (expectedChallenge) =>
      verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        requireUserVerification: true,
      }),
  );
  if (!verified?.verified) return null;
  const { id, publicKey, transports = [] } = verified.registrationInfo.credential;
  const known = transports.filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 10);
  const encoded = Buffer.from(publicKey).toString('base64url');
  return { credentialId: id, publicKey: encoded, transports: known };
}

/** Options with which a browser signs in by any passkey of this site. */
export async function signInOptions(deps: PasskeyDeps, site: ConsoleSite): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  const challenge = await makeChallenge(deps, signIn);
  return generateAuthenticationOptions({
    rpID: site.rpId,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
  });
}

/** The person whom an answer claims to come from; null if it names nobody. */
export function claimedPerson(response: unknown): SessionPerson | null {
  const handle = (response as Partial<AuthenticationResponseJSON> | null)?.response?.userHandle;
  const text = typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString() : '';
  const [organisationId, personId] = [text.slice(0, 26), text.slice(26)];
  if (!isUlid(organisationId) || !isUlid(personId)) return null;
  return { organisationId: organisationId as OrganisationId, personId: personId as PersonId };
}

/**
 * True if the passkey signed a challenge of ours, once. Counters are not compared: passkeys that are
 * synchronised between devices have none.
 */
export async function verifySignIn(
  deps: PasskeyDeps,
  site: ConsoleSite,
  { response, passkey }: { readonly response: unknown; readonly passkey: Passkey },
): Promise<boolean> {
  const given = response as AuthenticationResponseJSON;
  if (given.id !== passkey.credentialId) return false;
  const { verifyAuthenticationResponse } = await library();
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
  const verified = await checked(
    (challenge) => takeChallenge(deps, signIn, challenge),
    (expectedChallenge) =>
      verifyAuthenticationResponse({
        response: given,
        expectedChallenge,
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        credential: { id: passkey.credentialId, publicKey, counter: 0 },
        requireUserVerification: true,
      }),
  );
  return verified?.verified === true;
}

/**
 * Runs a check of the library, which throws for every malformed or wrong answer: null then. Passes
 * on an error of the database, which says nothing about the answer.
 */
async function checked<Result>(
  take: (challenge: string) => Promise<boolean>,
  check: (expectedChallenge: (challenge: string) => Promise<boolean>) => Promise<Result>,
): Promise<Result | null> {
  let taken: Promise<boolean> | null = null;
  const result = await check((challenge) => {
    taken = take(challenge);
    return taken;
  }).catch(() => null);
  await taken;
  return result;
}
