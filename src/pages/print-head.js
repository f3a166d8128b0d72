import { byId, element } from './element.js';
import { utcTime } from './texts.js';

/**
 * Everything is printed: cards are opened before, and closed again after it.
 *
 * @param {() => string | null} checkedAt Time of the check, ISO 8601.
 */
export function preparePrinting(checkedAt) {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener('beforeprint', () => {
    const time = checkedAt();
    byId('print-time').replaceChildren(
      ...(time === null
        ? []
        : [`${utcTime(time)} (`, element('time', { datetime: time }, time), ')']),
    );
    byId('print-address').textContent = location.href;
    opened = [...document.querySelectorAll('details')].filter(
      (each) => !each.open && byId('result').contains(each),
    );
    for (const each of opened) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of opened) each.open = false;
    opened = [];
  });
}
