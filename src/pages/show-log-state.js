import { element } from './element.js';
import { showVerdict } from './show-verdict.js';
import { duration, text } from './texts.js';

/** @import { NoAnswer } from './ask-log.js' */
/** @import { Kind } from './verdict.ts' */

/**
 * @typedef {'empty' | 'asking' | 'absentEvent' | 'absentProof' | 'pendingProof' | 'unreachable'
 *   | 'strange' | 'limited' | 'paused'} StateName
 */

/**
 * A state without a result: no data, or not yet.
 * @param {StateName} name
 * @param {{values?: Record<string, string | number>, onRetry?: () => void}} [options]
 */
export function showState(name, { values = {}, onRetry } = {}) {
  if (name === 'asking') return element('p', { class: 'hint' }, text('log.asking'));
  const isWaiting = name === 'limited' || name === 'paused';
  const { seconds, ...others } = values;
  const waitTitle = text(name === 'limited' ? 'log.limited' : 'log.paused');
  const body = isWaiting
    ? text('log.waitBody', { pause: duration(Number(seconds)) })
    : text(`log.${name}Body`, others);
  const retry = { type: 'button', class: 'button verdict-retry', onclick: () => onRetry?.() };
  const isAbsent = name === 'absentEvent' || name === 'absentProof' || name === 'pendingProof';
  const label = text(name === 'empty' ? 'log.nothing' : isAbsent ? 'log.notFound' : 'log.unknown');
  return showLogVerdict(
    name === 'empty' ? 'open' : 'unknown',
    { title: isWaiting ? waitTitle : text(`log.${name}`, others), body: [body], label },
    onRetry ? element('button', retry, text('verdict.retry')) : null,
  );
}

/**
 * State and values of an answer without data.
 * @param {NoAnswer} answer
 * @param {'absentEvent' | 'absentProof'} absent
 * @returns {{name: StateName, values: Record<string, number>}}
 */
export function stateOf(answer, absent) {
  switch (answer.found) {
    case 'absent':
      return { name: absent, values: {} };
    case 'pending':
      return { name: 'pendingProof', values: {} };
    case 'limited':
    case 'paused':
      return { name: answer.found, values: { seconds: answer.seconds } };
    default:
      return { name: answer.found, values: {} };
  }
}

/**
 * A verdict on something of the log, with its reasons.
 *
 * @param {Kind} kind
 * @param {{title: string, body: string[], label: string}} words
 * @param {...(Node | null)} more
 */
export function showLogVerdict(kind, { title, body, label }, ...more) {
  const because = body.map((words) => element('p', { class: 'because' }, words));
  return showVerdict(kind, { level: 'h3', title, label }, ...because, ...more);
}
