import { type DescribedCall, exampleOf } from '../calls.ts';
import type { Schema } from '../description.ts';

/** A request with the examples of the description, for which samples are written. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly needsKey: boolean;
  readonly json?: unknown;
  readonly form?: {
    readonly file: { readonly name: string; readonly type: string };
    readonly fields: Readonly<Record<string, string>>;
  };
  /** `file`: the answer is saved under `saveAs`. */
  readonly answer: 'json' | 'text' | 'file';
  readonly saveAs: string;
}

/** Builds the request: required parameters, and one optional parameter of the query. */
export function sampleRequest(call: DescribedCall): SampleRequest {
  const { body, method } = call;
  const mediaType = answerTypeOf(call);
  const isForm = body?.contentType === 'multipart/form-data';
  return {
    method,
    url: `${call.server}${pathOf(call)}${queryOf(call)}`,
    needsKey: call.scope !== null,
    ...(body !== null && !isForm && { json: body.example }),
    ...(body !== null && isForm && { form: formOf(body.example) }),
    answer: mediaType === 'application/json' ? 'json' : isText(mediaType) ? 'text' : 'file',
    saveAs: mediaType === 'application/pdf' ? 'certificate.pdf' : 'answer.bin',
  };
}

const isText = (mediaType: string) => mediaType.startsWith('text/');

/** The path with examples for its parameters. */
function pathOf({ path, parameters }: DescribedCall): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    const value = String(parameter === undefined ? '' : exampleOf(parameter));
    return encodePath(value, parameter?.schema);
  });
}

/** Percent-encodes a value for a path. Values with slashes of their own have no limit of length. */
function encodePath(value: string, schema: Schema | undefined): string {
  if (schema?.maxLength !== undefined) return encodeURIComponent(value);
  return value.split('/').map(encodeURIComponent).join('/');
}

/** Optional parameters that make no useful first call. */
const unshown = ['page', 'number'];

function queryOf({ parameters }: DescribedCall): string {
  const inQuery = parameters.filter((each) => each.in === 'query');
  const optional = inQuery.find(({ name, required }) => !required && !unshown.includes(name));
  const shown = inQuery.filter((each) => each.required || each === optional);
  const query = shown.map(({ name, ...rest }) => [name, String(exampleOf({ name, ...rest }))]);
  return query.length === 0 ? '' : `?${new URLSearchParams(query)}`;
}

function formOf(example: unknown): NonNullable<SampleRequest['form']> {
  const { file: _, ...fields } = example as Readonly<Record<string, string>>;
  return { file: { name: 'proofmark.txt', type: 'text/plain' }, fields };
}

/** Media type of the first successful answer with content. */
function answerTypeOf({ operation }: DescribedCall): string {
  const successes = Object.entries(operation.responses).filter(([status]) => /^2/.test(status));
  const types = successes.flatMap(([, answer]) =>
    'content' in answer ? Object.keys(answer.content ?? {}) : [],
  );
  return types[0] ?? 'application/json';
}
