/**
 * Functions that tests run in a page or its reader. Each is sent alone, so it cannot use others of this
 * file.
 */

/** @param {string} url */
export async function tryToSend(url) {
  try {
    await fetch(url, { method: 'POST', body: 'x' });
    return 'sent';
  } catch {
    return 'refused';
  }
}

/** @param {string} url */
export function submitForm(url) {
  const form = document.createElement('form');
  Object.assign(form, { action: url, method: 'post' });
  document.body.append(form);
  form.submit();
}

export function writeHtml() {
  try {
    document.body.innerHTML = '<b>x</b>';
    return 'written';
  } catch {
    return 'refused';
  }
}

/** The focused element: its id, or else its text. */
export function focused() {
  const { activeElement: at } = document;
  return at?.id || (at?.textContent ?? '');
}

export function readClipboard() {
  return navigator.clipboard.readText();
}

/** Number of pixels by which the page is wider than the window. */
export function excessWidth() {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
}

/**
 * Place and size of an element in the page.
 * @param {string} id
 */
export function topOf(id) {
  const box = document.getElementById(id)?.getBoundingClientRect();
  return { top: Math.round((box?.top ?? 0) + scrollY), height: Math.round(box?.height ?? 0) };
}

/** Elements that are wider than the window, outside of those that scroll. */
export function tooWide() {
  const all = [...document.querySelectorAll('main *')];
  return all
    .filter((each) => each.closest('.table, .unseen') === null)
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => `${each.tagName}.${each.className}#${each.id}`);
}

/** Shows text at twice its size. */
export function doubleText() {
  document.documentElement.style.fontSize = '200%';
}

/** Calls `hear` with each announcement from now on. */
export function tellAnnouncements() {
  const place = document.getElementById('announcement');
  const tell = () => globalThis.hear(place.textContent);
  new MutationObserver(tell).observe(place, { childList: true });
}

/** Hides the next choice of files from the page until `learn` is called. */
export function holdFiles() {
  const files = document.getElementById('files');
  const hold = (event) => event.stopImmediatePropagation();
  addEventListener('change', hold, { capture: true, once: true });
  globalThis.learn = () => files?.dispatchEvent(new Event('change'));
}

/** Tells the page that the network is there again. */
export function comeOnline() {
  dispatchEvent(new Event('online'));
}

export function learn() {
  globalThis.learn();
}

/** @param {{name: string, content: string}[]} files */
export function dropFiles(files) {
  const transfer = new DataTransfer();
  for (const { name, content } of files) transfer.items.add(new File([content], name));
  for (const type of ['dragenter', 'dragover', 'drop']) {
    const event = { dataTransfer: transfer, bubbles: true, cancelable: true };
    document.getElementById('drop')?.dispatchEvent(new DragEvent(type, event));
  }
}

/**
 * Extracts the bundle from a PDF with the page's own module; returns the reason if there is none.
 * @param {{module: string, pdf: string}} given
 */
export async function extractInPage({ module, pdf }) {
  const { extractBundle } = await import(module);
  const bytes = Uint8Array.from(atob(pdf), (character) => character.charCodeAt(0));
  return extractBundle(bytes).catch(({ why }) => why);
}

/** Addresses of all that the page or the thread has loaded, from the network or from a cache. */
export function resourceNames() {
  return performance.getEntriesByType('resource').map(({ name }) => name);
}
