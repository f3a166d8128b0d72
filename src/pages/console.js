/** Buttons that copy the text of an element; without this script they stay hidden. */
for (const button of document.querySelectorAll('button[data-copies]')) {
  if (!(button instanceof HTMLButtonElement) || navigator.clipboard === undefined) continue;
  const { copies = '', done = '' } = button.dataset;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = document.getElementById(copies)?.textContent ?? '';
    await navigator.clipboard.writeText(text);
    const state = document.getElementById('state');
    if (state !== null) state.textContent = done;
    button.textContent = done;
  });
}

/** Only pages with something to follow keep a connection. */
if (document.querySelector('[data-live], [data-proof], [data-follows]') !== null) {
  await import('./console-live.js');
}
