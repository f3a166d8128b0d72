import { queryWorkspaces } from '../../../../projections/workspaces/query.ts';
import { type IssueDeps, issueKey } from '../../../commands/issue-key.ts';
import { parseScopes, type Scope } from '../../../domain/key/scope.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { streams } from '../../../domain/streams.ts';
import type { KeyId } from '../../../domain/ulid.ts';
import { awaitKeys, type KeyViewDeps } from '../../keys/api-key-view.ts';
import { createKeyCount } from '../../keys/count-keys.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, sentence } from '../console-page.ts';
import type { ConsoleRoute, FormRequest } from '../console-route.ts';
import { readOnce } from '../form-orders.ts';
import { html } from '../html.ts';
import { aboutLastDay, endOfDay } from '../read-day.ts';
import { copiedState, shownSecret } from '../shown-secret.ts';
import { keyFormPage } from './key-form.ts';

export const newKeyPage: ConsoleRoute<Pick<Deps, 'newId'>> = {
  kind: 'view',
  path: '/console/keys/new',
  role: 'owner',
  handle: async (request, deps) => keyFormPage(request, deps),
};

type Deps = KeyViewDeps & Omit<IssueDeps, 'countKeys'>;

const unsigned = 'Nothing was created yet: check the form, and send it again.';

/** Creates a key by the command of the API, and shows it once. A form that is sent again creates none. */
export const createKeyRoute: ConsoleRoute<Deps> = {
  kind: 'form',
  path: '/console/keys',
  role: 'owner',
  again: async (request, deps) =>
    keyFormPage(request, deps, { typed: request.form, note: request.note }),
  handle: async (request, deps) => {
    const { organisationId } = request.viewer.organisation;
    const keyId = readOnce(request.token ?? '', request.form.get('once'));
    if (keyId === null) {
      return keyFormPage(request, deps, { typed: request.form, note: unsigned, status: 400 });
    }
    try {
      const order = { ...readOrder(request.form), organisationId, issuedBy: 'owner' as const };
      const issuing = { ...deps, newId: () => keyId, countKeys: createKeyCount(deps) };
      const { key } = await issueKey(issuing, order, request.meta);
      await awaitKeys(deps, organisationId);
      return await shownOnce(request, deps, {
        key,
        name: order.name,
        scopes: parseScopes(order.scopes),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isCreated = (await deps.store.readLast(streams.key(keyId as KeyId))) !== null;
      if (isCreated) return createdBefore(request);
      const note = sentence(aboutLastDay(error.message));
      return keyFormPage(request, deps, { typed: request.form, note, status: 400 });
    }
  },
};

/** Answer to a form that was sent again, such as by a reload: the key itself is not stored. */
function createdBefore({ root, viewer }: FormRequest): Reply {
  const content = html`<h1>This key was created before</h1>
    <p class="lead">The form was sent a second time, so no other key was created. A key is shown once.
    If you did not copy it, revoke it and create another.</p>
    <p><a href="${root}console/keys">To all API keys</a></p>`;
  const page = { title: 'Created before', content, root, viewer, place: 'keys' } as const;
  return consoleReply({ ...page, status: 409 });
}

/** The order of the form. Refuses with INVALID_REQUEST what is no number or date. */
function readOrder(form: URLSearchParams) {
  const text = (name: string) => form.get(name)?.trim() || null;
  const limit = (name: 'requestsPerMinute' | 'requestsPerDay') => {
    const given = text(name);
    if (given === null) return null;
    if (/^\d{1,15}$/.test(given)) return Number(given);
    throw new Refusal('INVALID_REQUEST', `${name}: must be a positive whole number`);
  };
  return {
    name: text('name'),
    scopes: form.getAll('scopes'),
    agent: form.has('agent'),
    expiresAt: endOfDay(form.get('expires')),
    requestsPerMinute: limit('requestsPerMinute'),
    requestsPerDay: limit('requestsPerDay'),
  };
}

async function shownOnce(
  { viewer, root, site }: FormRequest,
  { db }: Pick<Deps, 'db'>,
  created: {
    readonly key: string;
    readonly name: string | null;
    readonly scopes: readonly Scope[];
  },
) {
  const [workspace] = await queryWorkspaces(db, viewer.organisation.organisationId);
  const workspaceId = workspace?._id ?? null;
  const call = firstCall(`${site.url}/api/v1`, created.key, { ...created, workspaceId });
  const content = html`<h1>${created.name === null ? 'Your new API key' : `Your new API key “${created.name}”`}</h1>
    <p class="lead">Copy it now. It is not stored, so it can never be shown again.</p>
    ${shownSecret('key', 'API key', created.key, 'Copy the key')}
    <h2>A first call</h2>
    ${shownSecret('call', 'Command', call, 'Copy the command')}
    ${copiedState}
    <p><a href="${root}console/keys">To all API keys</a></p>`;
  return consoleReply({
    title: 'Your new API key',
    content,
    root,
    viewer,
    place: 'keys',
    status: 201,
  });
}

/**
 * A command line that works with the new key: a call that its scopes permit, and that changes as
 * little as possible. `workspaceId` is a workspace of the organisation, or null.
 */
function firstCall(
  apiUrl: string,
  key: string,
  {
    scopes,
    workspaceId,
  }: { readonly scopes: readonly Scope[]; readonly workspaceId: string | null },
): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  const reading = readings.find(([scope]) => scopes.includes(scope));
  if (reading !== undefined) return `curl -sS '${apiUrl}${reading[1]}' ${authorization}`;
  if (scopes.includes('documents:write') && workspaceId !== null) {
    const hash = `'"$(printf hello | sha256sum | cut -c1-64)"'`;
    const body = `{"hash":"${hash}","workspace":"${workspaceId}"}`;
    return `curl -sS '${apiUrl}/proofs' ${authorization} -H 'Content-Type: application/json' -d '${body}'`;
  }
  return `curl -sS '${apiUrl}/docs' ${authorization}`;
}

const readings: readonly (readonly [Scope, string])[] = [
  ['workspaces:read', '/workspaces'],
  ['documents:read', '/documents?limit=1'],
  ['api-keys:manage', '/api-keys?limit=1'],
  ['webhooks:manage', '/webhooks?limit=1'],
];
