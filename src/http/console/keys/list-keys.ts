import type { Person } from '../../../domain/person/state.ts';
import { peopleOf } from '../../../domain/person/state.ts';
import type { KnownPeople } from '../../../loading/known-people.ts';
import { type KeyViewDeps, readShownKeys, type ShownKey } from '../../keys/api-key-view.ts';
import { apiAccessNote } from '../api-access-note.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute, Viewer } from '../console-route.ts';
import { grouped } from '../grouped.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { pageLinks, pageNumber } from '../page-links.ts';

const limit = 50;

export const keysPage: ConsoleRoute<KeyViewDeps & { readonly people: KnownPeople }> = {
  kind: 'view',
  path: '/console/keys',
  role: 'member',
  handle: async ({ viewer, root, query }, deps) => {
    const { organisationId } = viewer.organisation;
    const page = pageNumber(query);
    const { keys, total } = await readShownKeys(deps, organisationId, { page, limit });
    const people = peopleOf(await deps.people(organisationId));
    const mayChange = viewer.person.role === 'owner';
    const content = html`<div class="heading"><h1>API keys</h1>
        ${mayChange && html`<a class="button" href="${root}console/keys/new">New API key</a>`}</div>
      ${standing(viewer)}
      ${total === 0 ? noKeys(mayChange) : html`<ul class="cards">${keys.map((key) => card(key, { people, root, mayChange }))}</ul>`}
      ${pageLinks({ path: `${root}console/keys`, page, limit, total })}`;
    return consoleReply({ title: 'API keys', content, root, viewer, place: 'keys' });
  },
};

/** Says why keys of the organisation do not work now. */
function standing(viewer: Viewer): Html | null {
  if (!viewer.organisation.suspended) {
    return apiAccessNote(viewer, 'calls with its keys are refused.');
  }
  return html`<p class="note">Your organisation is suspended, so calls with its keys are refused.
      Contact the operator of the service.</p>`;
}

function noKeys(mayChange: boolean): Html {
  return html`<p class="lead">Programs and agents use the service with a key. There is none yet.
    ${mayChange ? 'Create one, and make a first call with it.' : 'An owner can create one.'}</p>`;
}

interface Shown {
  readonly people: readonly Person[];
  readonly root: string;
  readonly mayChange: boolean;
}

function card({ view, issuedByPerson }: ShownKey, { people, root, mayChange }: Shown): Html {
  const { id, prefix, name, status, agent, scopes, createdAt, expiresAt, lastUsedAt } = view;
  const issuer = people.find(({ personId }) => personId === issuedByPerson);
  const by =
    issuer?.name ??
    issuer?.email ??
    (view.issuedBy === null ? 'an operator' : `the key ${view.issuedBy}`);
  const limits = [
    view.requestsPerMinute === null ? [] : [`${grouped(view.requestsPerMinute)} requests a minute`],
    view.requestsPerDay === null ? [] : [`${grouped(view.requestsPerDay)} a day`],
  ].flat();
  return html`<li class="card" id="key-${id}">
      <h2>${name ?? 'Key without a name'}</h2>
      <p><span class="badge badge-${status}">${status}</span>
        ${agent && html`<span class="badge">agent</span>`} <code>${prefix}…</code></p>
      <dl>
        <div><dt>May do</dt><dd>${scopes.map((scope) => html`<code>${scope}</code> `)}</dd></div>
        <div><dt>Last used</dt><dd>${lastUsedAt === null ? 'never' : timeInHtml(lastUsedAt)}</dd></div>
        <div><dt>Holds until</dt><dd>${expiresAt === null ? 'it is revoked' : timeInHtml(expiresAt)}</dd></div>
        ${limits.length > 0 && html`<div><dt>Own limits</dt><dd>${limits.join(', ')}</dd></div>`}
        <div><dt>Created</dt><dd>${timeInHtml(createdAt)} by ${by}</dd></div>
      </dl>
      ${mayChange && status !== 'revoked' && html`<p><a href="${root}console/keys/${id}/revoke">Revoke<span class="unseen"> ${name ?? prefix}</span></a></p>`}
    </li>`;
}
