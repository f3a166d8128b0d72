import { exampleOf } from './calls.ts';
import { type Description, type Parameter, resolve, type Schema } from './description.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';
import { limitsInWords, typeInWords, withoutNull } from './schema-words.ts';

const deepest = 8;

/** List of the fields of an object, or of the objects in a list; null if it has none. */
export function showFields(
  description: Description,
  schema: Schema,
  direction: Direction,
): Html | null {
  return fieldsWithin({ description, direction }, schema, []);
}

/** Callers must send required fields. In answers, optional fields are the exception. */
type Direction = 'sent' | 'received';

interface Showing {
  readonly description: Description;
  readonly direction: Direction;
}

/** `within`: names of the components around the fields, so that recursion ends. */
function fieldsWithin(showing: Showing, given: Schema, within: readonly string[]): Html | null {
  const { description, direction } = showing;
  const name = given.$ref?.split('/').at(-1);
  if (within.length >= deepest || (name !== undefined && within.includes(name))) return null;
  const inside = [...within, name ?? ''].filter((each, index) => each !== '' || index > 0);
  const { schema } = withoutNull(description, given);
  if (schema.items !== undefined) return fieldsWithin(showing, schema.items, inside);
  const { properties = {}, required = [], anyOf = [] } = schema;
  const fields = Object.entries(properties).map(([field, each]) =>
    showField({
      name: field,
      note: noteOf(direction, required.includes(field)),
      schema: each,
      description,
      inner: fieldsWithin(showing, each, inside),
    }),
  );
  const more = anyOf.map((each) => fieldsWithin(showing, each, inside));
  if (fields.length === 0) return more.find((each) => each !== null) ?? null;
  return html`<ul class="fields">${fields}</ul>`;
}

function noteOf(direction: Direction, isRequired: boolean): Html | null {
  if (direction === 'sent' && isRequired) return html` <strong class="required">required</strong>`;
  return direction === 'received' && !isRequired ? html` <span class="type">optional</span>` : null;
}

function showField(field: {
  readonly name: string;
  readonly note: Html | null;
  readonly schema: Schema;
  readonly description: Description;
  readonly text?: string | undefined;
  readonly example?: unknown;
  readonly sentIn?: string;
  readonly inner: Html | null;
}): Html {
  const { name, schema, description, inner } = field;
  const resolved = resolve(description, schema) as Schema;
  const text = field.text ?? resolved.description;
  const limits = limitsInWords(description, schema);
  const example = field.example === undefined ? [] : [`for example \`${String(field.example)}\``];
  const notes = [...limits, ...example].join('; ');
  return html`<li><p><code class="name">${name}</code> <span class="type">${typeInWords(description, schema)}</span>${
    field.sentIn ? html` <span class="type">${field.sentIn}</span>` : null
  }${field.note}</p>${
    text ? html`<p>${inlineMarkdown(text)}</p>` : null
  }${notes ? html`<p class="limits-of">${inlineMarkdown(notes)}</p>` : null}${
    inner && html`<details><summary>Fields of <code>${name}</code></summary>${inner}</details>`
  }</li>`;
}

/** List of parameters with their limits and examples. */
export function showParameters(description: Description, parameters: readonly Parameter[]): Html {
  const items = parameters.map((parameter) =>
    showField({
      name: parameter.name,
      note: noteOf('sent', parameter.required),
      schema: parameter.schema,
      description,
      text: parameter.description,
      example: exampleOf(parameter),
      sentIn: `in the ${parameter.in}`,
      inner: null,
    }),
  );
  return html`<ul class="fields">${items}</ul>`;
}
