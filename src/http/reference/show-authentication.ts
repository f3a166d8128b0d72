import { scopes, scopesBarredToAgents } from '../../domain/key/scope.ts';
import type { DescribedCall } from './calls.ts';
import type { Description } from './description.ts';
import { type Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import { samplesOf } from './samples/samples-of.ts';
import { showSamples } from './show-samples.ts';

/** How to authenticate, with a first call and the calls of each scope. */
export function showAuthentication(
  { components, servers }: Description,
  calls: readonly DescribedCall[],
): Html {
  const first = calls.find(({ id }) => id === 'listWorkspaces');
  const rows = scopes.map((scope) => {
    const links = calls
      .filter((call) => call.scope === scope)
      .map(({ id }, index) => html`${index > 0 ? ', ' : ''}<a href="#${id}">${id}</a>`);
    const isBarred = scopesBarredToAgents.includes(scope);
    return html`<tr><th scope="row"><code>${scope}</code>${
      isBarred ? html`<br><span class="type">never for agents</span>` : null
    }</th><td>${links}</td></tr>`;
  });
  const open = calls.filter(({ scope }) => scope === null);
  const bases = servers.map(
    ({ url, description }) => html`<li><code>${url}</code>: ${description}</li>`,
  );
  return html`<section class="part-of" id="authentication" data-find="Authentication">
<h2 id="authentication-heading"><a class="anchor" href="#authentication">Authentication</a></h2>
<div class="halves"><div class="half prose">
<p>Calls that need a scope carry your API key in a header:</p>
<pre tabindex="0" aria-label="Header with the key"><code>Authorization: Bearer svc_live_…</code></pre>
${markdown(components.securitySchemes.apiKey.description.replace(/^`Authorization[^`]*`\. /, ''))}
<ul>
<li>A key is <code>svc_live_</code> and 32 letters and digits. It is shown once, when it is created.</li>
<li>A wrong, revoked or expired key is <code>401 INVALID_API_KEY</code>. A call outside the scopes of the key is <code>403 SCOPE_NOT_PERMITTED</code>.</li>
<li>Keep the key on your server. Never put it into a web page, a repository or a URL.</li>
<li>Give an agent a key made for agents, with <code>documents:write</code> and <code>certificates:read</code> only.</li>
</ul>
<p>The addresses are:</p><ul>${bases}</ul>
</div><div class="half beside-it">
<h3>Your first call</h3>
<p>The examples read the key from the environment variable <code>KEY</code>:</p>
<pre tabindex="0" aria-label="Set the key"><code>export KEY=svc_live_…</code></pre>
${first ? showSamples('authentication', samplesOf(first)) : null}
<p class="type">TypeScript runs as a module on Node 20 or later. Python needs 3.8 or later, and nothing to install.</p>
</div></div>
<h3>Scopes</h3>
<table class="scopes"><thead><tr><th scope="col">Scope</th><th scope="col">Calls</th></tr></thead><tbody>${rows}
<tr><th scope="row">no key</th><td>${open.map(({ id }, index) => html`${index > 0 ? ', ' : ''}<a href="#${id}">${id}</a>`)}</td></tr></tbody></table>
</section>`;
}
