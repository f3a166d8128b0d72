/**
 * The texts of the page's language, which the page brings along (src/pages/texts).
 * @type {Record<string, Record<string, string>>}
 */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}');

const { lang: language } = document.documentElement;

/**
 * The text by this name, `section.name`, with values in the place of `{value}`.
 *
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function text(name, values = {}) {
  const [section = '', key = ''] = name.split('.');
  const found = texts[section]?.[key] ?? name;
  return found.replace(/\{(\w+)\}/g, (whole, value) => String(values[value] ?? whole));
}

/**
 * A time as people read it, in UTC.
 * @param {string} iso
 */
export function utcTime(iso) {
  const options = { dateStyle: 'long', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' };
  return `${format(iso, /** @type {Intl.DateTimeFormatOptions} */ (options))} UTC`;
}

/**
 * The same where the reader is.
 * @param {string} iso
 */
export function localTime(iso) {
  return format(iso, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
}

/**
 * @param {string} iso
 * @param {Intl.DateTimeFormatOptions} options
 */
function format(iso, options) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? iso
    : new Intl.DateTimeFormat(language, options).format(date);
}

/**
 * How long something takes, as people say it.
 * @param {number} seconds
 */
export function duration(seconds) {
  const [unit, each] =
    seconds < 120 ? ['second', 1] : seconds < 7_200 ? ['minute', 60] : ['hour', 3_600];
  const options = /** @type {const} */ ({ style: 'unit', unitDisplay: 'long' });
  return new Intl.NumberFormat(language, { ...options, unit }).format(Math.ceil(seconds / each));
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/**
 * A size as people read it.
 * @param {number} bytes
 */
export function fileSize(bytes) {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const options = { style: 'unit', unit: units[power], unitDisplay: power ? 'short' : 'long' };
  return new Intl.NumberFormat(language, {
    .../** @type {Intl.NumberFormatOptions} */ (options),
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}

/**
 * A file's name as it may be shown: what turns the direction of text, or is no text, is made visible.
 * @param {string} name
 */
export function shownName(name) {
  return name.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    '\ufffd',
  );
}
