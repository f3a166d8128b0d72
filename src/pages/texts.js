import { isolated, shownText } from '../domain/shown-text.ts';

/**
 * The texts in the page's language, embedded in the page (src/pages/texts).
 * @type {Record<string, Record<string, string>>}
 */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}');

/** Dates and numbers are as the reader writes them, whatever the language of the texts. */
const language = readersLocale();

function readersLocale() {
  try {
    return Intl.getCanonicalLocales([...navigator.languages]);
  } catch {
    return [document.documentElement.lang]; // the browser names a locale that is none
  }
}

/**
 * Returns the text with the name `section.key`, with values in place of `{value}`.
 *
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function text(name, values = {}) {
  const [section = '', key = ''] = name.split('.');
  const found = texts[section]?.[key] ?? name;
  return found.replace(/\{(\w+)\}/g, (whole, key) => {
    const value = values[key];
    return typeof value === 'number' ? wholeNumber(value) : (value ?? whole);
  });
}

/**
 * Formats a time in UTC.
 * @param {string} iso
 */
export function utcTime(iso) {
  const options = { dateStyle: 'long', timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' };
  return `${format(iso, /** @type {Intl.DateTimeFormatOptions} */ (options))} UTC`;
}

/**
 * Formats a day of UTC.
 * @param {string} iso
 */
export function utcDay(iso) {
  return format(iso, { dateStyle: 'long', timeZone: 'UTC' });
}

/**
 * Formats a time in the user's time zone.
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
  return Number.isNaN(date.getTime()) ? iso : timesIn(options).format(date);
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const timeFormats = new Map();

/** @type {Map<string, Intl.NumberFormat>} */
const numberFormats = new Map();

/**
 * Returns the formatter of times with these options. Making one takes far longer than using it.
 * @param {Intl.DateTimeFormatOptions} options
 */
function timesIn(options) {
  const key = JSON.stringify(options);
  const made = timeFormats.get(key) ?? new Intl.DateTimeFormat(language, options);
  timeFormats.set(key, made);
  return made;
}

/**
 * Returns the formatter of numbers with these options.
 * @param {Intl.NumberFormatOptions} [options]
 */
function numbersIn(options = {}) {
  const key = JSON.stringify(options);
  const made = numberFormats.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormats.set(key, made);
  return made;
}

/**
 * Formats a whole number.
 * @param {number} number
 */
export function wholeNumber(number) {
  return numbersIn().format(number);
}

/**
 * Formats a duration in seconds, minutes or hours, rounded up.
 * @param {number} seconds
 */
export function duration(seconds) {
  const [unit, each] =
    seconds < 120 ? ['second', 1] : seconds < 7_200 ? ['minute', 60] : ['hour', 3_600];
  const options = /** @type {const} */ ({ style: 'unit', unitDisplay: 'long' });
  return numbersIn({ ...options, unit }).format(Math.ceil(seconds / each));
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/**
 * Formats a size in decimal units.
 * @param {number} bytes
 */
export function fileSize(bytes) {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const options = { style: 'unit', unit: units[power], unitDisplay: power ? 'short' : 'long' };
  return numbersIn({
    .../** @type {Intl.NumberFormatOptions} */ (options),
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** power);
}

/**
 * A file's name, or another text of somebody else, in a form that is safe to show within other words.
 * @param {string} name
 */
export function shownName(name) {
  return isolated(shownText(name));
}
