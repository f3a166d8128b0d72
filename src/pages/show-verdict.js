import { element } from './element.js';
import { mark } from './mark.js';
import { duration, localTime, text, utcTime } from './texts.js';
import { valueRow } from './value-row.js';

/** @import { Judgement } from './judge.js' */
/** @import { Step } from './judge-steps.js' */

/**
 * The verdict in words, with a heading that can have the focus.
 * @param {Judgement} judgement
 * @param {{onRetry: () => void}} options
 */
export function showVerdict({ kind, text: name, values, canRetry }, { onRetry }) {
  const retry = { type: 'button', class: 'button verdict-retry', onclick: onRetry };
  return element(
    'div',
    { class: `verdict verdict-${kind}` },
    mark(kind),
    element(
      'div',
      {},
      element('p', { class: 'kind' }, text(`kind.${kind}`)),
      element('h2', { id: 'verdict', tabindex: '-1' }, verdictTitle(name)),
      element('p', {}, text(`verdict.${name}Body`, readable(values))),
      canRetry ? element('button', retry, text('verdict.retry')) : null,
    ),
  );
}

/** @param {string} name */
export function verdictTitle(name) {
  return text(`verdict.${name}`);
}

/** @param {Step} step */
export function showStep({ name, status, text: outcome, with: values = {}, values: shown = [] }) {
  return element(
    'li',
    { class: 'step' },
    mark(status),
    element(
      'div',
      {},
      element(
        'h3',
        {},
        `${text(`step.${name}`)} `,
        element('span', { class: `status status-${status}` }, text(`status.${status}`)),
      ),
      element('p', {}, text(`outcome.${outcome}`, readable(values))),
      shown.length > 0 ? element('dl', {}, ...shown.map(valueRow)) : null,
    ),
  );
}

/**
 * Times and pauses as people read them; everything else as it is.
 * @param {Record<string, string | number>} values
 */
function readable(values) {
  const { time, seconds } = values;
  if (typeof seconds === 'number') return { ...values, pause: duration(seconds) };
  if (typeof time !== 'string') return values;
  return { ...values, time: utcTime(time), localTime: localTime(time) };
}
