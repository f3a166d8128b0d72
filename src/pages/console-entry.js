import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

const state = document.getElementById('state');

/** @param {string} [text] */
function say(text) {
  if (state === null) return;
  state.textContent = text ?? '';
  state.hidden = text === undefined || text === '';
}

/** An answer of the service that refuses. */
class Refused extends Error {}

/**
 * Sends JSON to the console, and returns the JSON of its answer.
 * @param {string} url
 * @param {object} body
 */
async function call(url, body) {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status === 400 || response.status === 403) throw new Refused();
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/**
 * The sentence for a failure, from the element's texts.
 * @param {HTMLElement} element
 * @param {unknown} error
 */
function wordsFor({ dataset }, error) {
  if (error instanceof Refused) return dataset.failed;
  const name = error instanceof Error ? error.name : '';
  return name === 'NotAllowedError' || name === 'AbortError' ? dataset.cancelled : dataset.trouble;
}

/**
 * Runs one attempt at a time, and says why it failed.
 * @param {HTMLElement} element
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} work
 */
async function attempt(element, button, work) {
  if (!('credentials' in navigator) || !('PublicKeyCredential' in window)) {
    say(element.dataset.unsupported);
    return;
  }
  button.disabled = true;
  say();
  try {
    await work();
  } catch (error) {
    say(wordsFor(element, error));
    button.disabled = false;
    button.focus();
  }
}

/**
 * Shows the form again that was sent when its session had ended, or goes on.
 * @param {string} root
 * @param {string} token
 */
function proceed(root, token) {
  const kept = document.getElementById('kept');
  if (kept instanceof HTMLFormElement) {
    const field = kept.elements.namedItem('token');
    if (field instanceof HTMLInputElement) field.value = token;
    kept.submit();
  } else if (/\/console\/(?!join$)./.test(location.pathname)) location.reload();
  else location.replace(`${root}console`);
}

/**
 * Says who is invited to what.
 * @param {Record<string, string>} invited
 */
function showInvited(invited) {
  const line = document.getElementById('invited');
  if (line === null) return;
  const text = String(line.dataset.text);
  line.textContent = text.replace(/\{(\w+)\}/g, (_, name) => invited[name] ?? '');
}

const signIn = document.getElementById('sign-in');
if (signIn instanceof HTMLButtonElement) {
  const { root = './' } = signIn.dataset;
  signIn.addEventListener('click', () =>
    attempt(signIn, signIn, async () => {
      const optionsJSON = await call(`${root}console/sign-in/options`, {});
      const response = await startAuthentication({ optionsJSON });
      const { token } = await call(`${root}console/sign-in`, response);
      proceed(root, token);
    }),
  );
}

const join = document.getElementById('join');
if (join instanceof HTMLFormElement) {
  const { root = './' } = join.dataset;
  const invitation = location.hash.slice(1);
  const button = join.querySelector('button');
  const askOptions = () => call(`${root}console/join/options`, { invitation });

  askOptions().then(showInvited, (error) => say(wordsFor(join, error)));

  join.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button === null) return;
    attempt(join, button, async () => {
      const { options } = await askOptions();
      const response = await startRegistration({ optionsJSON: options });
      const name = String(new FormData(join).get('name'));
      const { token } = await call(`${root}console/join`, { invitation, name, response });
      // The invitation is used up: keep it out of the history.
      history.replaceState(null, '', location.pathname);
      proceed(root, token);
    });
  });
}
