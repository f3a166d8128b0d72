import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

const state = document.getElementById('state');

/** @param {string} [text] */
function say(text) {
  if (state === null) return;
  state.textContent = text ?? '';
  state.hidden = text === undefined || text === '';
}

/** An answer of the service that refuses. Its message is a reason that the person can do something about, or empty. */
class Refused extends Error {}

/** The identity provider does not answer. */
class ProviderAway extends Error {}

/**
 * Sends JSON to the console, and returns the JSON of its answer.
 * @param {string} url
 * @param {object} body
 */
async function call(url, body) {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status === 400) throw new Refused((await response.json()).message);
  if (response.status === 403) throw new Refused();
  if (response.status === 502) throw new ProviderAway();
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/**
 * The sentence for a failure, from the element's texts.
 * @param {HTMLElement} element
 * @param {unknown} error
 */
function wordsFor({ dataset }, error) {
  if (error instanceof Refused && error.message !== '') return sentence(error.message);
  if (error instanceof Refused) return dataset.failed;
  if (error instanceof ProviderAway) return dataset.away;
  const name = error instanceof Error ? error.name : '';
  return name === 'NotAllowedError' || name === 'AbortError' ? dataset.cancelled : dataset.trouble;
}

/** @param {string} message */
function sentence(message) {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/**
 * Runs one attempt at a time, and says why it failed.
 * @param {HTMLElement} element
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} work
 */
async function attempt(element, button, work) {
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
 * As `attempt`, in a browser that has passkeys.
 * @param {HTMLElement} element
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} work
 */
async function attemptPasskey(element, button, work) {
  if ('credentials' in navigator && 'PublicKeyCredential' in window) {
    await attempt(element, button, work);
  } else say(element.dataset.unsupported);
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

/**
 * Calls `onClick` for each click, and enables the button. Before this, a click would be lost.
 * @param {HTMLButtonElement} button
 * @param {() => void} onClick
 */
function enable(button, onClick) {
  button.addEventListener('click', onClick);
  button.disabled = false;
}

const signIn = document.getElementById('sign-in');
if (signIn instanceof HTMLButtonElement) {
  const { root = './' } = signIn.dataset;
  enable(signIn, () =>
    attemptPasskey(signIn, signIn, async () => {
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
    const name = String(new FormData(join).get('name')).trim();
    if (name === '') {
      say(join.dataset.nameless);
      document.getElementById('name')?.focus();
      return;
    }
    attemptPasskey(join, button, async () => {
      const { options } = await askOptions();
      const response = await startRegistration({ optionsJSON: options });
      const { token } = await call(`${root}console/join`, { invitation, name, response });
      // The invitation is used up: keep it out of the history.
      history.replaceState(null, '', location.pathname);
      proceed(root, token);
    });
  });
  if (button !== null) button.disabled = false;
}

/** Name under which this tab keeps the address, and what was typed, while the provider has the page. */
const keptName = 'console-sign-in';

const provider = document.getElementById('provider');
if (provider instanceof HTMLButtonElement) {
  const { root = './' } = provider.dataset;
  enable(provider, () =>
    attempt(provider, provider, async () => {
      const invitation = join === null ? null : location.hash.slice(1);
      const { url } = await call(`${root}console/oidc/begin`, { invitation });
      const kept = document.getElementById('kept');
      const isForm = kept instanceof HTMLFormElement;
      const form = isForm && { action: kept.action, fields: [...new FormData(kept)] };
      const next = join === null ? location.href : null;
      sessionStorage.setItem(keptName, JSON.stringify({ next, form }));
      location.assign(url);
    }),
  );
}

/**
 * Goes on where the sign-in at the provider began.
 * @param {string} root
 * @param {string} token
 */
function resume(root, token) {
  const { next, form } = JSON.parse(sessionStorage.getItem(keptName) ?? '{}');
  sessionStorage.removeItem(keptName);
  const home = new URL(`${root}console`, location.href).href;
  const isOurs = (/** @type {unknown} */ url) => typeof url === 'string' && url.startsWith(home);
  if (form && isOurs(form.action)) sendAgain(form, token);
  else location.replace(isOurs(next) ? next : home);
}

/**
 * @param {{action: string, fields: [string, string][]}} kept
 * @param {string} token
 */
function sendAgain({ action, fields }, token) {
  const form = document.createElement('form');
  [form.method, form.action, form.hidden] = ['post', action, true];
  for (const [name, value] of fields) {
    const field = document.createElement('input');
    [field.type, field.name, field.value] = ['hidden', name, name === 'token' ? token : value];
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

const proceeding = document.getElementById('proceed');
if (proceeding !== null) {
  const { root = './', token = '' } = proceeding.dataset;
  resume(root, token);
}

const choices = document.getElementById('choices');
if (choices !== null) {
  const { root = './', token, statement } = choices.dataset;
  for (const button of choices.querySelectorAll('button')) {
    const { organisation, person } = button.dataset;
    enable(button, () =>
      attempt(choices, button, async () => {
        const chosen = { token, statement, organisationId: organisation, personId: person };
        const begun = await call(`${root}console/oidc/choose`, chosen);
        resume(root, begun.token);
      }),
    );
  }
}
