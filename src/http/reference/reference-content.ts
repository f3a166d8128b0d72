import { errorAdvice } from '../errors/error-advice.ts';
import { type ErrorCode, statusOf } from '../errors/error-code.ts';
import type { JsonObject } from '../openapi/json-schemas.ts';
import { callsOf, type DescribedCall, exampleOf } from './calls.ts';
import type { Description } from './description.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown, partsOf } from './markdown.ts';
import { showAuthentication } from './show-authentication.ts';
import { showCall } from './show-call.ts';
import { showDeliveries } from './show-webhooks.ts';

/** The parts of the reference that are made from the OpenAPI document, as HTML and JSON. */
export interface ReferenceContent {
  readonly version: string;
  readonly contents: string;
  readonly body: string;
  /** Data of the calls for the script that sends them, safe inside a script element. */
  readonly calls: string;
}

export function referenceContent(document: JsonObject): ReferenceContent {
  // `openApiDocument` makes it, and every page view of the tests reads it.
  const description = document as unknown as Description;
  const calls = callsOf(description);
  const groups = description.tags.map(({ name, description: about }) => ({
    name,
    about,
    id: `group-${slug(name)}`,
    calls: calls.filter(({ tag }) => tag === name),
  }));
  const guide = partsOf(description.info.description);
  const body = html`<div class="prose lead-in">${guide[0]?.content ?? null}</div>
${showAuthentication(description, calls)}
<div id="rules">${guide.slice(1).map(({ heading, content }) => {
    const id = `about-${slug(heading ?? '')}`;
    return html`<section class="part-of" id="${id}" data-find="${heading ?? ''}"><h2 id="${id}-heading"><a class="anchor" href="#${id}">${heading}</a></h2><div class="prose">${content}</div>${
      heading === 'Errors' ? showCodes() : null
    }</section>`;
  })}</div>
${groups.map(
  ({ id, name, about, calls }) =>
    html`<section class="part-of" id="${id}"><h2 id="${id}-heading"><a class="anchor" href="#${id}">${name}</a></h2><p>${inlineMarkdown(about)}</p>
${calls.map((call) => showCall(description, call))}</section>`,
)}
<section class="part-of" id="deliveries"><h2 id="deliveries-heading"><a class="anchor" href="#deliveries">Webhook deliveries</a></h2>
<p>Requests that the service sends to your endpoints.</p>
${showDeliveries(description)}</section>`;
  return {
    version: description.info.version,
    contents: contentsOf(description, guide, groups).text,
    body: body.text,
    calls: JSON.stringify(
      Object.fromEntries(calls.map((call) => [call.id, sendable(call)])),
    ).replaceAll('<', '\\u003c'),
  };
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-');
}

/** Table of all codes, each with an anchor. */
function showCodes(): Html {
  // The keys of the table are its codes.
  const rows = (Object.keys(statusOf) as ErrorCode[]).map((code) => {
    const { meaning, retry } = errorAdvice[code];
    return html`<tr id="error-${code}" data-find="${code}"><td>${statusOf[code]}</td><th scope="row"><code>${code}</code></th><td>${inlineMarkdown(meaning)}</td><td data-head="Try again?">${inlineMarkdown(retry)}</td></tr>`;
  });
  return html`<table class="codes"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th><th scope="col">Try again?</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function contentsOf(
  { webhooks }: Description,
  guide: ReturnType<typeof partsOf>,
  groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly calls: readonly DescribedCall[];
  }[],
): Html {
  const abouts = guide
    .slice(1)
    .map(({ heading }) => link(`about-${slug(heading ?? '')}`, heading ?? ''));
  const parts = groups.map(
    ({ id, name, calls }) =>
      html`<li><a href="#${id}">${name}</a><ul>${calls.map(
        ({ id, method, operation }) =>
          html`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> ${operation.summary}</a></li>`,
      )}</ul></li>`,
  );
  const events = Object.entries(webhooks).map(([kind, { post }]) => link(post.operationId, kind));
  return html`<ul>${link('authentication', 'Authentication')}<li><a href="#rules">Rules for all calls</a><ul>${abouts}</ul></li>${parts}<li><a href="#deliveries">Webhook deliveries</a><ul>${link('receive-deliveries', 'Receive and check deliveries')}${events}</ul></li></ul>`;
}

function link(id: string, name: string): Html {
  return html`<li><a href="#${id}">${name}</a></li>`;
}

/** Input for the script that sends the call. */
function sendable({ method, path, isAtRoot, scope, parameters, body }: DescribedCall) {
  const isForm = body?.contentType === 'multipart/form-data';
  const { properties = {}, required = [] } = body?.schema ?? {};
  const example = (body?.example ?? {}) as Readonly<Record<string, unknown>>;
  return {
    method,
    path: isAtRoot ? path : `/api/v1${path}`,
    needsKey: scope !== null,
    parameters: parameters
      .filter(({ name }) => name !== 'Accept-Encoding')
      .map((parameter) => ({
        name: parameter.name,
        in: parameter.in,
        required: parameter.required,
        example: String(exampleOf(parameter) ?? ''),
        isPath:
          parameter.in === 'path' &&
          String(exampleOf(parameter)).includes('/') &&
          parameter.schema.maxLength === undefined,
      })),
    ...(body !== null && !isForm && { json: JSON.stringify(body.example, null, 2) }),
    ...(isForm && {
      fields: Object.keys(properties).map((name) => ({
        name,
        isFile: name === 'file',
        required: required.includes(name),
        example: String(example[name] ?? ''),
      })),
    }),
  };
}
