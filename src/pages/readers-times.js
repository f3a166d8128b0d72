import { utcDay, utcTime } from './texts.js';

/** Writes the times and days that the service has put into the page as the reader writes them. */
export function writeReadersTimes() {
  for (const place of document.querySelectorAll('time[datetime]')) {
    const { dateTime } = /** @type {HTMLTimeElement} */ (place);
    const isDay = /^\d{4}-\d\d-\d\d$/.test(dateTime);
    place.textContent = isDay ? utcDay(dateTime) : utcTime(dateTime);
    place.setAttribute('title', dateTime);
  }
}
