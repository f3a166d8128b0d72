/** @import { Sendable } from './sendable.ts' */

/** @typedef {{ line: string, headers: string[], body: string | null }} ShownRequest */

/**
 * Builds the request that a form describes, for this service only. Fields left empty are not sent.
 *
 * @param {Sendable} call
 * @param {HTMLFormElement} form
 * @param {string} key
 * @returns {{ url: URL, options: RequestInit, shown: ShownRequest }}
 *   `shown` is for people and leaves the key out.
 */
export function buildRequest(call, form, key) {
  const entered = new FormData(form);
  const value = (/** @type {string} */ name) => String(entered.get(name) ?? '');
  const url = new URL(`.${pathOf(call, value)}`, document.baseURI);
  if (url.origin !== location.origin) throw new Error('only this service may be called');
  /** @type {Record<string, string>} */
  const headers = {};
  for (const { name, in: place } of call.parameters) {
    if (value(name) === '') continue;
    if (place === 'query') url.searchParams.set(name, value(name));
    if (place === 'header') headers[name] = value(name);
  }
  if (call.json !== undefined) headers['Content-Type'] = 'application/json';
  const body = bodyOf(call, entered);
  const shown = {
    line: `${call.method} ${url.pathname}${url.search}`,
    headers: [
      ...(call.needsKey ? ['Authorization: Bearer svc_live_…'] : []),
      ...Object.entries(headers).map(([name, text]) => `${name}: ${text}`),
      ...(body instanceof FormData ? ['Content-Type: multipart/form-data'] : []),
    ],
    body: body instanceof FormData ? partsOf(body) : body,
  };
  if (call.needsKey) headers.Authorization = `Bearer ${key.trim()}`;
  const options = {
    ...{ method: call.method, headers, body, redirect: /** @type {const} */ ('error') },
    ...{ credentials: /** @type {const} */ ('omit'), cache: /** @type {const} */ ('no-store') },
    referrerPolicy: /** @type {const} */ ('no-referrer'),
  };
  return { url, options, shown };
}

/**
 * @param {Sendable} call
 * @param {(name: string) => string} value
 */
function pathOf({ path, parameters }, value) {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const isPath = parameters.some((each) => each.name === name && each.isPath);
    const encoded = encodeURIComponent(value(name));
    return isPath ? encoded.replaceAll('%2F', '/') : encoded;
  });
}

/**
 * @param {Sendable} call
 * @param {FormData} entered
 */
function bodyOf(call, entered) {
  if (call.json !== undefined) return String(entered.get('json') ?? '');
  if (call.fields === undefined) return null;
  const form = new FormData();
  for (const { name, isFile } of call.fields) {
    const given = entered.get(name);
    if (isFile || (given !== null && given !== '')) form.append(name, given ?? '');
  }
  return form;
}

/** @param {FormData} form */
function partsOf(form) {
  return [...form]
    .map(
      ([name, part]) =>
        `${name}: ${part instanceof File ? `${part.name} (${part.size} bytes)` : part}`,
    )
    .join('\n');
}
