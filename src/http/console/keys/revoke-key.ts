import { revokeKey } from '../../../commands/revoke-key.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isUlid, type KeyId } from '../../../domain/ulid.ts';
import { awaitKeys, findShownKey, type KeyViewDeps } from '../../keys/api-key-view.ts';
import { consoleReply, redirectTo, tokenField } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { html, timeInHtml } from '../html.ts';

const path = '/console/keys/:id/revoke';

/** Asks before a key is revoked. */
export const confirmRevocationPage: ConsoleRoute<KeyViewDeps> = {
  kind: 'view',
  path,
  role: 'owner',
  handle: async ({ viewer, root, params }, deps) => {
    const keyId = readKeyId(params.id);
    const found = await findShownKey(deps, viewer.organisation.organisationId, keyId);
    if (found === null) throw noSuchKey();
    const { name, prefix, lastUsedAt, status } = found.view;
    if (status === 'revoked') return redirectTo(root, 'console/keys');
    const content = html`<h1>Revoke ${name === null ? 'this key' : `“${name}”`}?</h1>
      <p class="lead">Programs that use <code>${prefix}…</code> are refused from then on. This cannot
      be undone.</p>
      <p>${lastUsedAt === null ? 'It was never used.' : html`It was last used at ${timeInHtml(lastUsedAt)}.`}</p>
      <form method="post" action="${root}console/keys/${keyId}/revoke">
        ${tokenField(viewer.formToken)}
        <p class="actions"><button class="danger">Revoke the key</button> <a href="${root}console/keys">Cancel</a></p>
      </form>`;
    return consoleReply({ title: 'Revoke a key', content, root, viewer, place: 'keys' });
  },
};

/** Revokes a key by the command of the API. The keys of other organisations do not exist for it. */
export const revokeKeyRoute: ConsoleRoute<KeyViewDeps> = {
  kind: 'form',
  path,
  role: 'owner',
  again: async ({ root, params }) =>
    redirectTo(root, `console/keys/${readKeyId(params.id)}/revoke`),
  handle: async ({ viewer, root, params, meta }, deps) => {
    const { organisationId } = viewer.organisation;
    await revokeKey(deps.store, readKeyId(params.id), organisationId, meta);
    await awaitKeys(deps, organisationId);
    return redirectTo(root, 'console/keys');
  },
};

function readKeyId(text = ''): KeyId {
  if (!isUlid(text)) throw noSuchKey();
  return text as KeyId;
}

function noSuchKey(): Refusal {
  return new Refusal('API_KEY_NOT_FOUND', 'there is no such API key');
}
