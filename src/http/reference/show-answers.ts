import { errorAdvice } from '../errors/error-advice.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import {
  type Answer,
  type Description,
  type Operation,
  resolve,
  type Schema,
} from './description.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';
import { showFields } from './show-fields.ts';
import { showJson } from './show-samples.ts';

/** Answers of an operation: those with a result, then its errors. */
export function showAnswers(description: Description, { responses }: Operation): Html {
  const all = Object.entries(responses).map(([status, answer]) => ({
    status,
    answer: resolve(description, answer) as Answer,
  }));
  const results = all.filter(({ answer }) => codeOf(answer)?.enum === undefined);
  const errors = all.flatMap(({ status, answer }) =>
    codesIn(answer).map((code) => ({ status, code })),
  );
  const shown = results.map(({ status, answer }, index) => {
    const { schema } = Object.values(answer.content ?? {})[0] ?? {};
    const same = results.findIndex(({ answer: { content } }) => {
      return JSON.stringify(Object.values(content ?? {})[0]?.schema) === JSON.stringify(schema);
    });
    return showAnswer(description, status, answer, {
      isOpen: index === 0,
      sameAs: schema !== undefined && same < index ? (results[same]?.status ?? null) : null,
    });
  });
  return html`${shown}${showErrors(errors)}`;
}

/** Codes of an error response; none for a result. */
function codesIn(answer: Answer): readonly ErrorCode[] {
  const code = codeOf(answer);
  return (code?.enum ?? [code?.const]).filter(
    (each): each is ErrorCode => String(each) in errorAdvice,
  );
}

/** Schema of the code in an error response. */
function codeOf({ content }: Answer): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema.properties?.code;
}

function showAnswer(
  description: Description,
  status: string,
  answer: Answer,
  { isOpen, sameAs }: { readonly isOpen: boolean; readonly sameAs: string | null },
): Html {
  const [[type, content] = [null, null]] = Object.entries(answer.content ?? {});
  const isJson = type === 'application/json';
  const fields =
    content === null || !isJson ? null : showFields(description, content.schema, 'received');
  return html`<details class="answer"${isOpen ? html` open` : null}><summary><span class="status-code">${status}</span> <span>${inlineMarkdown(answer.description)}</span></summary>${
    type !== null && !isJson ? html`<p>The body is <code>${type}</code>.</p>` : null
  }${content !== null && isJson ? showJson(`Example of the answer ${status}`, content.example) : null}${
    fields === null
      ? null
      : sameAs === null
        ? html`<details class="inner"><summary>Fields of the answer</summary>${fields}</details>`
        : html`<p>The fields are those of the answer ${sameAs}.</p>`
  }${showHeaders(description, answer)}</details>`;
}

function showHeaders(description: Description, { headers = {} }: Answer): Html | null {
  const names = Object.entries(headers);
  if (names.length === 0) return null;
  const items = names.map(
    ([name, header]) =>
      html`<li><p><code class="name">${name}</code></p><p>${inlineMarkdown(
        resolve(description, header).description,
      )}</p></li>`,
  );
  return html`<details class="inner"><summary>Headers</summary><ul class="fields">${items}</ul></details>`;
}

function showErrors(
  errors: readonly { readonly status: string; readonly code: ErrorCode }[],
): Html | null {
  if (errors.length === 0) return null;
  const rows = errors.map(
    ({ status, code }) =>
      html`<tr><td>${status}</td><th scope="row"><a href="#error-${code}"><code>${code}</code></a></th><td>${inlineMarkdown(
        errorAdvice[code].meaning,
      )}</td></tr>`,
  );
  return html`<details class="answer errors"><summary><span class="status-code bad">4xx, 5xx</span> <span>${errors.length} errors</span></summary><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}
