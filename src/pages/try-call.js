import { announce } from './announce.js';
import { buildRequest } from './build-request.js';
import { element } from './element.js';
import { showAnswer, showFailure } from './show-answer.js';
import { text } from './texts.js';

/** @import { CallParameter, FormField, Sendable } from './sendable.ts' */

/** The key, in memory only, for all calls of the page. */
let key = '';

// A page that the browser keeps for `back` must not keep the key.
addEventListener('pagehide', () => setKey(''));

/** @param {string} value */
function setKey(value) {
  key = value;
  for (const field of document.querySelectorAll('input.key')) {
    /** @type {HTMLInputElement} */ (field).value = value;
  }
}

/**
 * Button that opens a form for the call.
 *
 * @param {string} id
 * @param {Sendable} call
 */
export function offerCall(id, call) {
  const holder = element('div');
  const open = () => {
    const attempt = formOf(id, call);
    holder.replaceChildren(attempt);
    const first = attempt.querySelector('input, textarea, button');
    if (first instanceof HTMLElement) first.focus();
  };
  const attributes = { type: 'button', class: 'button try', onclick: open };
  holder.append(element('button', attributes, text('reference.try')));
  return holder;
}

/**
 * @param {string} id
 * @param {Sendable} call
 */
function formOf(id, call) {
  const outcome = element('div', {
    class: 'outcome',
    role: 'group',
    'aria-label': text('reference.outcome'),
  });
  const send = element(
    'button',
    { type: 'submit', class: 'button button-main' },
    text('reference.send', { method: call.method }),
  );
  const cancel = element(
    'button',
    { type: 'button', class: 'button', hidden: true },
    text('reference.cancel'),
  );
  const form = element(
    'form',
    { autocomplete: 'off' },
    ...(call.needsKey ? [keyField(id)] : []),
    ...call.parameters.map((parameter) => textField(id, parameter)),
    ...(call.fields ?? []).map((field) => textField(id, field)),
    ...(call.json === undefined ? [] : [bodyField(id, call.json)]),
    element('p', { class: 'acts' }, send, cancel),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const aborting = new AbortController();
    cancel.onclick = () => aborting.abort();
    send.disabled = true;
    cancel.hidden = false;
    outcome.replaceChildren(element('p', { class: 'hint' }, text('reference.waiting')));
    const began = performance.now();
    try {
      const { url, options, shown } = buildRequest(call, form, key);
      const response = await fetch(url, { ...options, signal: aborting.signal });
      const body = new Uint8Array(await response.arrayBuffer());
      const durationMs = performance.now() - began;
      outcome.replaceChildren(...showAnswer(shown, response, body, durationMs));
      announce(text('reference.answered', { status: response.status }));
    } catch (error) {
      const words = showFailure(error, aborting.signal.aborted);
      outcome.replaceChildren(words);
      announce(String(words.textContent));
    }
    send.disabled = false;
    cancel.hidden = true;
  });
  const note = call.method === 'GET' ? 'reference.readsOnly' : 'reference.acts';
  return element(
    'div',
    { class: 'attempt' },
    element('h4', {}, text('reference.tryHeading')),
    element('p', { class: 'hint' }, text(note)),
    form,
    outcome,
  );
}

/** @param {string} id */
function keyField(id) {
  const attributes = {
    ...{
      id: `${id}-key`,
      class: 'key',
      type: 'password',
      autocomplete: 'off',
      spellcheck: 'false',
    },
    ...{ value: key, required: true, 'aria-describedby': `${id}-key-hint` },
    oninput: (/** @type {Event} */ { target }) => {
      if (target instanceof HTMLInputElement) setKey(target.value);
    },
  };
  return element(
    'div',
    { class: 'field' },
    element('label', { for: `${id}-key` }, text('reference.key')),
    element('input', attributes),
    element('p', { class: 'hint', id: `${id}-key-hint` }, text('reference.keyHint')),
  );
}

/**
 * @param {string} id
 * @param {CallParameter | FormField} field
 */
function textField(id, field) {
  const isFile = 'isFile' in field && field.isFile;
  const fieldId = `${id}-${field.name}`;
  const attributes = {
    ...{ id: fieldId, name: field.name, type: isFile ? 'file' : 'text', spellcheck: 'false' },
    ...{ autocomplete: 'off', autocapitalize: 'off', required: field.required },
    ...(!isFile && { placeholder: field.example }),
  };
  const needed = field.required
    ? []
    : [element('span', { class: 'type' }, ` ${text('reference.optional')}`)];
  return element(
    'div',
    { class: 'field' },
    element('label', { for: fieldId }, element('code', {}, field.name), ...needed),
    element('input', attributes),
  );
}

/**
 * @param {string} id
 * @param {string} json
 */
function bodyField(id, json) {
  const attributes = {
    id: `${id}-body`,
    name: 'json',
    spellcheck: 'false',
    rows: String(Math.min(16, json.split('\n').length + 1)),
  };
  return element(
    'div',
    { class: 'field' },
    element('label', { for: `${id}-body` }, text('reference.body')),
    element('textarea', attributes, json),
  );
}
