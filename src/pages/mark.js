/** @import { Step } from './step.ts' */
/** @import { Kind } from './verdict.ts' */

const svg = 'http://www.w3.org/2000/svg';

/** A distinct shape per outcome, so that colour is not needed. Only checked outcomes have ticks. */
const shapes = {
  ok: ['M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21z', 'M7 12.5l3.4 3.4L17 8.8'],
  failed: ['M7.7 1.5h8.6l6.2 6.2v8.6l-6.2 6.2H7.7l-6.2-6.2V7.7z', 'M8 8l8 8M16 8l-8 8'],
  trial: ['M12 1l11 11-11 11L1 12z', 'M7.5 12.4l3 3 5.8-6'],
  unknown: [
    'M12 1l11 11-11 11L1 12z',
    'M9.3 9.6a2.7 2.7 0 1 1 3.9 2.4c-.8.4-1.2.9-1.2 1.8M12 17v.01',
  ],
  partial: ['M12 1l11 11-11 11L1 12z', 'M12 7v6.4M12 17v.01'],
  noted: ['', 'M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19zM12 11v5.5M12 7.6v.01'],
  none: ['', 'M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19zM8 12h8'],
  stated: ['', 'M4.5 4.5h15v11.5h-8l-4.5 4v-4h-2.5z'],
  claimed: ['', 'M4.5 4.5h15v11.5h-8l-4.5 4v-4h-2.5z'],
  notChecked: [
    '',
    'M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19zM9.3 9.6a2.7 2.7 0 1 1 3.9 2.4c-.8.4-1.2.9-1.2 1.8M12 17v.01',
  ],
  open: ['', 'M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19z'],
};

const ofKind = /** @type {const} */ ({
  proven: 'ok',
  trial: 'trial',
  partial: 'partial',
  disproven: 'failed',
  unknown: 'unknown',
  open: 'open',
});

/**
 * The mark of an outcome or a verdict. Hidden from screen readers: text beside it says the same.
 * @param {Step['status'] | Kind} outcome
 */
export function mark(outcome) {
  const shape = outcome in shapes ? outcome : ofKind[/** @type {Kind} */ (outcome)];
  const drawn = document.createElementNS(svg, 'svg');
  drawn.setAttribute('viewBox', '0 0 24 24');
  drawn.setAttribute('aria-hidden', 'true');
  drawn.setAttribute('class', `mark mark-${shape}`);
  const [body = '', sign = ''] = shapes[/** @type {Step['status']} */ (shape)];
  drawn.append(path(body, 'mark-body'), path(sign, 'mark-sign'));
  return drawn;
}

/**
 * @param {string} data
 * @param {string} name
 */
function path(data, name) {
  const drawn = document.createElementNS(svg, 'path');
  drawn.setAttribute('d', data);
  drawn.setAttribute('class', name);
  return drawn;
}
