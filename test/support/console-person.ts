import { invitePerson } from '../../src/commands/invite-person.ts';
import { registerPerson } from '../../src/commands/register-person.ts';
import type { Role } from '../../src/domain/person/events.ts';
import { parseInvitation } from '../../src/domain/person/invitation-token.ts';
import { presentPeople } from '../../src/domain/person/state.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { consoleSite } from '../../src/http/console/console-site.ts';
import { formToken, startSession } from '../../src/http/console/sessions.ts';
import { loadPeople } from '../../src/loading/load-people.ts';
import { testDeps } from './event-store.ts';
import type { HttpService } from './http-service.ts';

/** Fields of a form; a list is a field that is sent several times. */
type Fields = Readonly<Record<string, string | readonly string[]>>;

function pairsOf(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one]),
  );
}

/** Registers a person without a browser, and signs it in. */
export async function signedIn(
  service: HttpService,
  organisationId: OrganisationId,
  {
    role = 'owner',
    email = 'ada@example.org',
  }: { readonly role?: Role; readonly email?: string } = {},
) {
  const deps = { ...testDeps, store: service.store };
  const order = { organisationId, role, email };
  const { invitation } = await invitePerson(deps, order, { actor: 'operator' });
  const parsed = parseInvitation(invitation);
  if (parsed === null) throw new Error('the invitation cannot be read');
  const passkey = { credentialId: email, publicKey: 'none', transports: [] };
  await registerPerson(deps, { ...parsed, name: email, passkey }, { actor: 'console' });
  const people = presentPeople(await loadPeople(service.store, organisationId));
  const person = people.find((each) => each.email === email);
  if (person === undefined) throw new Error('the person is not registered');
  const { personId } = person;
  const session = { organisationId, personId, registration: person.registrations };
  const { events, sources } = service.services;
  const token = await startSession({ ...events, ...sources }, session);
  const site = consoleSite(service.url);
  const cookie = `${site.cookie}=${token}`;

  async function answerOf(path: string, init: RequestInit) {
    const response = await fetch(`${site.url}${path}`, { ...init, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  return {
    token,
    /** Sends JSON as a script of a page does, with the right origin and token unless `headers` differ. */
    order: (path: string, body: object, headers: Record<string, string> = {}) =>
      answerOf(path, {
        method: 'POST',
        headers: {
          ...{ cookie, accept: 'application/json', origin: site.origin },
          ...{ 'content-type': 'application/json', 'x-console-token': formToken(token) },
          ...headers,
        },
        body: JSON.stringify(body),
      }),
    /** Value of the field `once` of the form on a page. */
    onceOn: async (path: string) => {
      const { text } = await answerOf(path, { headers: { cookie, accept: 'text/html' } });
      return /name="once" value="([^"]+)"/.exec(text)?.[1] ?? '';
    },
    ...{ personId, cookie, site, formToken: formToken(token) },
    get: (path: string, headers: Record<string, string> = {}) =>
      answerOf(path, { headers: { cookie, accept: 'text/html', ...headers } }),
    /** Sends a form with the right origin and token, unless `headers` and `fields` say otherwise. */
    post: (path: string, fields: Fields = {}, headers: Record<string, string> = {}) =>
      answerOf(path, {
        method: 'POST',
        headers: { cookie, accept: 'text/html', origin: site.origin, ...headers },
        body: new URLSearchParams(pairsOf({ token: formToken(token), ...fields })),
      }),
  };
}
