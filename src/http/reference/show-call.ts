import type { DescribedCall } from './calls.ts';
import type { Description } from './description.ts';
import { type Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import { samplesOf } from './samples/samples-of.ts';
import { showAnswers } from './show-answers.ts';
import { showFields, showParameters } from './show-fields.ts';
import { showSamples } from './show-samples.ts';

/** An operation with its input, samples, answers and errors. Its anchor is its id. */
export function showCall(description: Description, call: DescribedCall): Html {
  const { id, method, path, isAtRoot, scope, operation, parameters, body } = call;
  const fields = body && showFields(description, body.schema, 'sent');
  const base = isAtRoot ? '' : new URL(call.server).pathname;
  return html`<article class="call" id="${id}" data-find="${operation.summary}" aria-labelledby="${id}-heading">
<h3 id="${id}-heading"><a class="anchor" href="#${id}">${operation.summary}</a></h3>
<p class="line"><span class="method ${method.toLowerCase()}">${method}</span> <code><span class="base">${base}</span>${path}</code></p>
<p class="scope">${
    scope === null
      ? html`No key is needed.`
      : html`Needs a key with the scope <a href="#authentication"><code>${scope}</code></a>.`
  }</p>
${operation.description ? html`<div class="prose">${markdown(operation.description)}</div>` : null}
<div class="halves"><div class="half">
${parameters.length > 0 ? html`<h4>Parameters</h4>${showParameters(description, parameters)}` : null}
${body && html`<h4>Body <span class="type">${body.contentType}</span></h4>${fields}`}
<h4>Answers</h4>
${showAnswers(description, operation)}
</div><div class="half beside-it">
<h4>Example</h4>
${showSamples(id, samplesOf(call))}
</div></div>
</article>`;
}
