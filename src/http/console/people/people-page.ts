import { type Person, presentPeople } from '../../../domain/person/state.ts';
import type { EventStore } from '../../../event-store/event-store.ts';
import type { KnownPeople } from '../../../loading/known-people.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, noteInHtml, tokenField } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { type Html, html, timeInHtml } from '../html.ts';

export interface PeopleDeps {
  readonly store: EventStore;
  readonly people: KnownPeople;
  readonly now: () => Date;
}

export const peoplePage: ConsoleRoute<PeopleDeps> = {
  kind: 'view',
  path: '/console/people',
  role: 'member',
  handle: (request, deps) => showPeople(request, deps),
};

/** The page of all people, with the form to invite filled with what was typed. */
export async function showPeople(
  { viewer, root }: Pick<ViewRequest, 'viewer' | 'root'>,
  deps: PeopleDeps,
  {
    typed = new URLSearchParams(),
    note = null,
    status = 200,
  }: {
    readonly typed?: URLSearchParams;
    readonly note?: string | null;
    readonly status?: number;
  } = {},
): Promise<Reply> {
  const people = presentPeople(await deps.people(viewer.organisation.organisationId));
  const mayChange = viewer.person.role === 'owner';
  const shown = { viewer, root, mayChange, now: deps.now() };
  const content = html`<h1>People</h1>
    ${noteInHtml(note)}
    <ul class="cards">${people.map((person) => card(person, shown))}</ul>
    ${mayChange ? inviteForm({ viewer, root }, typed) : html`<p class="hint">Owners invite people and change roles.</p>`}`;
  return consoleReply({ title: 'People', content, root, viewer, place: 'people', status });
}

interface Shown extends Pick<ViewRequest, 'viewer' | 'root'> {
  readonly mayChange: boolean;
  readonly now: Date;
}

function card(person: Person, { viewer, root, mayChange, now }: Shown): Html {
  const { personId, name, email, role, registeredAt, invitation, passkey, identity } = person;
  const waysIn = [
    passkey === null ? [] : ['passkey'],
    identity === null ? [] : ['identity provider'],
  ].flat();
  const isSelf = personId === viewer.person.personId;
  const open = invitation !== null && Date.parse(invitation.expiresAt) > now.getTime();
  const other = role === 'owner' ? 'member' : 'owner';
  const whom = html`<span class="unseen"> ${name ?? email}</span>`;
  const state =
    registeredAt === null
      ? open
        ? 'invited'
        : 'invitation ended'
      : invitation !== null && open
        ? 'invited again'
        : 'registered';
  return html`<li class="card">
      <h2>${name ?? email}${isSelf && ' (you)'}</h2>
      <p><span class="badge">${role}</span> <span class="badge">${state}</span></p>
      <dl>
        <div><dt>E-mail</dt><dd>${email}</dd></div>
        ${registeredAt !== null && html`<div><dt>Registered</dt><dd>${timeInHtml(registeredAt)}</dd></div>`}
        ${waysIn.length > 0 && html`<div><dt>Signs in by</dt><dd>${waysIn.join(', ')}</dd></div>`}
        ${invitation !== null && html`<div><dt>Invitation holds until</dt><dd>${timeInHtml(invitation.expiresAt)}</dd></div>`}
      </dl>
      ${
        mayChange &&
        html`<form method="post" class="row" action="${root}console/people/${personId}/role">
          ${tokenField(viewer.formToken)}<input type="hidden" name="role" value="${other}">
          <button class="plain">Make ${other}${whom}</button>
          <button class="plain" formaction="${root}console/people/${personId}/invite">New invitation${whom}</button>
          <a href="${root}console/people/${personId}/remove">Remove${whom}</a>
        </form>`
      }
    </li>`;
}

function inviteForm(
  { viewer, root }: Pick<ViewRequest, 'viewer' | 'root'>,
  typed: URLSearchParams,
): Html {
  const isOwner = typed.get('role') === 'owner';
  return html`<h2>Invite somebody</h2>
    <form method="post" action="${root}console/people">
      ${tokenField(viewer.formToken)}
      <label for="email">E-mail address</label>
      <input id="email" name="email" type="email" required maxlength="254" autocomplete="off" value="${typed.get('email') ?? ''}">
      <label for="role">Role</label>
      <select id="role" name="role">
        <option value="member"${!isOwner && html` selected`}>member: only reads</option>
        <option value="owner"${isOwner && html` selected`}>owner: changes keys and people</option>
      </select>
      <p class="hint">You get a link to send to the person. It holds once, and for a day.</p>
      <p class="actions"><button>Make an invitation</button></p>
    </form>`;
}
