import { limitsOf, voucherFor } from './certificate-steps.js';
import { element } from './element.js';
import { mark } from './mark.js';
import { showClaims } from './show-claims.js';
import { duration, localTime, shownName, text, utcTime } from './texts.js';
import { valueRow } from './value-row.js';

/** @import { Step } from './step.ts' */
/** @import { Card, Kind } from './verdict.ts' */

/**
 * A verdict in words, with a focusable heading.
 *
 * @param {Kind} kind
 * @param {{level: 'h2' | 'h3', title: string | readonly (string | Node)[], names?: readonly string[], label?: string}} heading
 *   `names` are the files of the verdict, if there are several verdicts. `label` says the kind in
 *   words, if not as usual.
 * @param {...(Node | null)} content
 */
export function showVerdict(kind, { level, title, names = [], label }, ...content) {
  const about = names.map((name) => element('bdi', { class: 'about' }, shownName(name)));
  return element(
    'div',
    { class: `verdict verdict-${kind}` },
    mark(kind),
    element(
      'div',
      {},
      element('p', { class: 'kind' }, label ?? text(`kind.${kind}`)),
      element(level, { class: 'verdict-title', tabindex: '-1' }, ...about, ...[title].flat()),
      ...content,
    ),
  );
}

/** @param {Card['judgement']} judgement */
export function verdictTitle({ text: name, values }) {
  return text(`verdict.${name}`, readable(values));
}

/** The kind of a verdict in words. @param {Card['judgement']} judgement */
export function verdictKind({ kind, basis }) {
  return text(basis === 'service' && kind !== 'trial' ? 'kind.stated' : `kind.${kind}`);
}

/**
 * True for the service's record of a transaction whose file was not given. Nothing is verified then.
 *
 * @param {Card['judgement']} judgement
 */
export function isRecordAlone({ kind, basis }) {
  return kind === 'open' && basis === 'service';
}

/** The outcome of a step in words. @param {Step} step */
export function outcomeOf({ text: name, with: values = {} }) {
  return text(`outcome.${name}`, readable(values));
}

/**
 * A text in which a time is an element that also has the time in UTC, as ISO 8601.
 *
 * @param {string} name
 * @param {Record<string, string | number>} values
 * @returns {(string | Node)[]}
 */
export function textWithTime(name, values) {
  const { time } = values;
  if (typeof time !== 'string') return [text(name, readable(values))];
  const shown = readable(values).time;
  const around = text(name, { ...readable(values), time: '\0' }).split('\0');
  return around.flatMap((part, at) => {
    return at === 0
      ? [part]
      : [element('time', { datetime: time, title: time }, String(shown)), part];
  });
}

/**
 * The reasons for a verdict, and its limits: only the evidence in a certificate is proven.
 * @param {Card} card
 */
export function verdictBody(card) {
  const { text: name, values } = card.judgement;
  const body = [
    textWithTime(`verdict.${name}Body`, values),
    ...limitsOf(card).map((name) => [text(name)]),
  ];
  return body.map((words) => element('p', { class: 'because' }, ...words));
}

/** The same as plain texts. @param {Card} card */
export function verdictTexts(card) {
  const { text: name, values } = card.judgement;
  return [text(`verdict.${name}Body`, readable(values)), ...limitsOf(card).map((one) => text(one))];
}

/**
 * @param {Step} step
 * @param {'h3' | 'h4'} level Heading level.
 */
export function showStep(step, level) {
  const { name, status, text: outcome, with: values = {}, values: shown = [], claims } = step;
  return element(
    'li',
    { class: 'step' },
    mark(status),
    element(
      'div',
      {},
      element(
        level,
        {},
        `${text(`step.${name}`)} `,
        element('span', { class: `status status-${status}` }, text(`status.${status}`)),
      ),
      element('p', {}, ...textWithTime(`outcome.${outcome}`, values)),
      shown.length > 0 ? element('dl', {}, ...shown.map(valueRow)) : null,
      claims ? showClaims(claims, voucherFor(status)) : null,
    ),
  );
}

/**
 * Formats times, pauses and names for display. Keeps other values unchanged.
 * @param {Record<string, string | number>} values
 */
function readable(values) {
  const { time, seconds, name } = values;
  return {
    ...values,
    ...(typeof seconds === 'number' && { pause: duration(seconds) }),
    ...(typeof time === 'string' && { time: utcTime(time), localTime: localTime(time) }),
    ...(typeof name === 'string' && { name: shownName(name) }),
  };
}
