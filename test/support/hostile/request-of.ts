import { formType, rawForm } from '../forms.ts';
import type { Operation, Parameter } from './operations.ts';
import type { RawRequest } from './send.ts';

/** Values of one request, before they are encoded. */
export interface Values {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Encodes a request for HTTP; `key` goes into Authorization. */
export function requestOf(operation: Operation, values: Values, key: string | null): RawRequest {
  const { method, path, body } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const text = written(values.path[name]);
    // The only parameter with slashes in it, which OpenAPI cannot express.
    return name === 'tile' ? text.replaceAll('%2F', '/') : text;
  });
  const pairs = Object.entries(values.query).map(([name, one]) => `${name}=${written(one)}`);
  const query = pairs.length > 0 ? `?${pairs.join('&')}` : '';
  const own = Object.entries(values.header).map(([name, one]) => [name, headerText(one)]);
  const headers = {
    ...Object.fromEntries(own),
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  const target = `${filled}${query}`;
  if (body === null || values.body === undefined) return { method, target, headers, body: null };
  if (body.contentType === 'multipart/form-data') {
    return { method, target, headers: { ...headers, ...formType }, body: form(values.body) };
  }
  const json = Buffer.from(JSON.stringify(values.body) ?? '');
  const type = { 'content-type': body.contentType };
  return { method, target, headers: { ...headers, ...type }, body: json };
}

/** Percent-encodes a value; a lone surrogate becomes U+FFFD, as in UTF-8. */
function written(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed());
}

/** Replaces characters that no header can carry. */
function headerText(value: unknown): string {
  return String(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}

function form(fields: unknown): Buffer {
  if (typeof fields !== 'object' || fields === null) return Buffer.from(String(fields));
  const parts = Object.entries(fields).map(([name, value]) => {
    const head = `Content-Disposition: form-data; name="${name.replace(/["\r\n]/g, '%')}"`;
    if (name !== 'file') return { headers: [head], bytes: text(value) };
    return {
      headers: [`${head}; filename="notes.txt"`, 'Content-Type: text/plain'],
      bytes: text(value),
    };
  });
  return rawForm(parts);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function parametersIn(operation: Operation, place: Parameter['in']): readonly Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === place);
}
