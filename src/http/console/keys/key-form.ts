import { type Scope, scopes, scopesBarredToAgents } from '../../../domain/key/scope.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, noteInHtml, tokenField } from '../console-page.ts';
import type { ViewRequest } from '../console-route.ts';
import { onceValue } from '../form-orders.ts';
import { type Html, html } from '../html.ts';

/** Scopes as the form explains them. */
const scopeTexts: Readonly<Record<Scope, string>> = {
  'documents:write': 'prove hashes, upload documents and record runs',
  'documents:read': 'list and read documents, proofs and runs',
  'certificates:read': 'download certificates and bundles',
  'workspaces:read': 'list workspaces',
  'webhooks:manage': 'register and change webhook endpoints',
  'api-keys:manage': 'issue and revoke further keys',
  'links:manage': 'share proofs by links',
};

/** Typed values, all empty at first. */
const untouched = new URLSearchParams([
  ['scopes', 'documents:write'],
  ['scopes', 'documents:read'],
  ['scopes', 'certificates:read'],
  ['scopes', 'workspaces:read'],
]);

/** The page with the form of a new key, filled with what was typed. It creates at most one key. */
export function keyFormPage(
  { root, viewer, token }: Pick<ViewRequest, 'root' | 'viewer' | 'token'>,
  { newId }: { readonly newId: () => string },
  {
    typed = untouched,
    note = null,
    status = 200,
  }: {
    readonly typed?: URLSearchParams;
    readonly note?: string | null;
    readonly status?: number;
  } = {},
): Reply {
  const { requestsPerMinute, requestsPerDay } = viewer.organisation;
  const value = (name: string) => typed.get(name) ?? '';
  const content = html`<h1>New API key</h1>
    ${noteInHtml(note)}
    <form method="post" action="${root}console/keys">
      ${tokenField(viewer.formToken)}
      <input type="hidden" name="once" value="${onceValue(token ?? '', newId())}">
      <label for="name">Name</label>
      <input id="name" name="name" maxlength="255" value="${value('name')}" aria-describedby="name-hint">
      <p class="hint" id="name-hint">So that you recognise the key later, such as the program that uses it.</p>
      <fieldset>
        <legend>What the key may do</legend>
        ${scopes.map((scope) => scopeBox(scope, typed.getAll('scopes').includes(scope)))}
      </fieldset>
      <fieldset>
        <legend>Who uses it</legend>
        <label class="choice"><input type="checkbox" name="agent" value="yes"${checked(typed.has('agent'))}>
          <span>An AI agent <span class="hint">It can then never have ${scopesBarredToAgents.join(', ')}.</span></span></label>
      </fieldset>
      <label for="expires">Last day (UTC)</label>
      <input id="expires" name="expires" type="date" value="${value('expires')}" aria-describedby="expires-hint">
      <p class="hint" id="expires-hint">Empty: the key holds until somebody revokes it.</p>
      <div class="pair">
        <div><label for="per-minute">Requests a minute</label>
          <input id="per-minute" name="requestsPerMinute" type="number" min="1" max="${requestsPerMinute}" step="1"
            inputmode="numeric" value="${value('requestsPerMinute')}" placeholder="${requestsPerMinute}"></div>
        <div><label for="per-day">Requests a day</label>
          <input id="per-day" name="requestsPerDay" type="number" min="1" max="${requestsPerDay}" step="1"
            inputmode="numeric" value="${value('requestsPerDay')}" placeholder="${requestsPerDay}"></div>
      </div>
      <p class="hint">Empty: the limits of your organisation apply.</p>
      <p class="actions"><button>Create the key</button> <a href="${root}console/keys">Cancel</a></p>
    </form>`;
  return consoleReply({ title: 'New API key', content, root, viewer, place: 'keys', status });
}

function scopeBox(scope: Scope, isChecked: boolean): Html {
  return html`<label class="choice"><input type="checkbox" name="scopes" value="${scope}"${checked(isChecked)}>
      <span><code>${scope}</code> <span class="hint">${scopeTexts[scope]}</span></span></label>`;
}

function checked(isChecked: boolean): Html | false {
  return isChecked && html` checked`;
}
