import { element } from './element.js';
import { saveBlob } from './save-blob.js';
import { fileSize, text, wholeNumber } from './texts.js';

/** @import { ShownRequest } from './build-request.js' */

/** Characters of a body that are shown; more make a page slow. */
const mostCharacters = 20_000;

/**
 * Shows a request and its answer: status, request id, headers and body.
 *
 * @param {ShownRequest} request
 * @param {Response} response
 * @param {Uint8Array<ArrayBuffer>} body
 * @param {number} durationMs
 */
export function showAnswer(request, response, body, durationMs) {
  const { ok, status, statusText, headers } = response;
  const id = headers.get('x-request-id');
  const facts = text('reference.facts', {
    duration: wholeNumber(Math.round(durationMs)),
    size: fileSize(body.length),
  });
  return [
    element('p', { class: `outcome-status ${ok ? 'ok' : 'failed'}` }, `${status} ${statusText}`),
    element('p', { class: 'hint' }, facts),
    ...(id === null
      ? []
      : [element('p', {}, `${text('reference.requestId')} `, element('code', {}, id))]),
    ...showBody(headers, body),
    folded(text('reference.answerHeaders'), [...headers].map((pair) => pair.join(': ')).join('\n')),
    folded(
      text('reference.request'),
      [request.line, ...request.headers, '', request.body ?? ''].join('\n').trim(),
    ),
  ];
}

/**
 * @param {unknown} error
 * @param {boolean} isCancelled
 */
export function showFailure(error, isCancelled) {
  const words = isCancelled
    ? text('reference.cancelled')
    : text('reference.failed', { reason: error instanceof Error ? error.message : String(error) });
  return element('p', { class: 'mistake' }, words);
}

/**
 * @param {Headers} headers
 * @param {Uint8Array<ArrayBuffer>} body
 */
function showBody(headers, body) {
  const type = headers.get('content-type') ?? '';
  const isText = /^(text\/|application\/json)/.test(type);
  const whole = isText ? readable(type, new TextDecoder().decode(body)) : '';
  const cut = whole.slice(0, mostCharacters);
  const isCut = cut.length < whole.length;
  const note = text('reference.cut', {
    shown: wholeNumber(cut.length),
    all: wholeNumber(whole.length),
  });
  return [
    ...(isText && body.length > 0 ? [block(text('reference.answerBody'), cut)] : []),
    ...(isCut ? [element('p', { class: 'hint' }, note)] : []),
    ...(body.length > 0 && (!isText || isCut) ? [saveButton(headers, body)] : []),
  ];
}

/**
 * @param {string} type
 * @param {string} whole
 */
function readable(type, whole) {
  if (!type.startsWith('application/json')) return whole;
  try {
    return JSON.stringify(JSON.parse(whole), null, 2);
  } catch {
    return whole;
  }
}

/**
 * @param {Headers} headers
 * @param {Uint8Array<ArrayBuffer>} body
 */
function saveButton(headers, body) {
  const named = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1];
  const save = () => {
    // No type, so that the browser never opens the bytes as a page of this service.
    saveBlob(new Blob([body], { type: 'application/octet-stream' }), named ?? 'answer.bin');
  };
  return element(
    'button',
    { type: 'button', class: 'button', onclick: save },
    text('reference.save'),
  );
}

/**
 * @param {string} label
 * @param {string} content
 */
function block(label, content) {
  return element('pre', { tabindex: '0', 'aria-label': label }, element('code', {}, content));
}

/**
 * @param {string} label
 * @param {string} content
 */
function folded(label, content) {
  return element('details', {}, element('summary', {}, label), block(label, content));
}
