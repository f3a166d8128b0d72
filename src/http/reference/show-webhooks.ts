import { signatureRule } from '../webhooks/webhook-signature.ts';
import { bodyOf } from './calls.ts';
import { type Answer, type Description, type Parameter, resolve } from './description.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { receivingSamples } from './samples/receiving.ts';
import { showFields, showParameters } from './show-fields.ts';
import { showJson, showSamples } from './show-samples.ts';

/** How to receive deliveries, then each kind of event. */
export function showDeliveries(description: Description): Html {
  const [first] = Object.values(description.webhooks);
  if (first === undefined) return html``;
  const { parameters = [], responses } = first.post;
  const headers = parameters.map((each): Parameter => resolve(description, each));
  const answers = Object.entries(responses).map(
    ([status, answer]) =>
      html`<li><p><code class="name">${status === 'default' ? 'other' : status}</code></p><p>${inlineMarkdown(
        (resolve(description, answer) as Answer).description,
      )}</p></li>`,
  );
  const kinds = Object.entries(description.webhooks).map(([kind, { post }]) => {
    const body = bodyOf(post);
    const id = post.operationId;
    const text = (post.description ?? '').replace(signatureRule, '').trim();
    return html`<article class="call" id="${id}" data-find="${kind}" aria-labelledby="${id}-heading">
<h3 id="${id}-heading"><a class="anchor" href="#${id}"><code>${kind}</code></a></h3>
<p class="line"><span class="method event">EVENT</span> ${post.summary}.</p>
<div class="prose">${markdown(text)}</div>
<div class="halves"><div class="half"><h4>Fields</h4>${body && showFields(description, body.schema, 'received')}</div>
<div class="half beside-it"><h4>Example of the body</h4>${body && showJson(`Example of ${kind}`, body.example)}</div></div>
</article>`;
  });
  return html`<article class="call" id="receive-deliveries" data-find="Receive and check deliveries" aria-labelledby="receive-heading">
<h3 id="receive-heading"><a class="anchor" href="#receive-deliveries">Receive and check deliveries</a></h3>
<div class="prose"><p>Each event is sent to your endpoint as a POST with a JSON body. Deliveries follow <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks 1.0</a>.</p>${markdown(signatureRule)}</div>
<div class="halves"><div class="half"><h4>Headers of a delivery</h4>${showParameters(description, headers)}
<h4>Your answer</h4><ul class="fields">${answers}</ul></div>
<div class="half beside-it"><h4>Check the signature</h4>${showSamples('receive-deliveries', receivingSamples)}</div></div>
</article>${kinds}`;
}
