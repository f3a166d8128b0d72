import type { Reply } from '../reply.ts';
import type { Viewer } from './console-route.ts';
import { type Html, html } from './html.ts';

/**
 * Content-Security-Policy of the console. Nothing comes from or goes to elsewhere, nothing is
 * framed, and scripts may not insert text as HTML.
 */
const policyOf = (threads: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    ...threads,
  ].join('; ');

const policy = policyOf(["trusted-types 'none'"]);
/** Policy of a page that starts a script of the console as a thread. */
const threadsPolicy = policyOf(["worker-src 'self'", 'trusted-types proofmark']);

/** Pages of the navigation, by their path below `console/`. */
const places = [
  ['prove', 'Prove files'],
  ['documents', 'Documents'],
  ['keys', 'API keys'],
  ['workspaces', 'Workspaces'],
  ['webhooks', 'Webhooks'],
  ['runs', 'Agent runs'],
  ['usage', 'Usage'],
  ['account', 'Ledger account'],
  ['people', 'People'],
] as const;

export interface ConsolePage {
  readonly title: string;
  readonly content: Html;
  readonly root: string;
  /** Null on pages before a sign-in. */
  readonly viewer: Viewer | null;
  /** Entry of the navigation that is marked. */
  readonly place?: (typeof places)[number][0];
  /** Script of the page, by its name below `pages/`. */
  readonly script?: 'console.js' | 'console-entry.js' | 'prove.js';
  /** True if its script starts threads. */
  readonly hasThreads?: boolean;
  readonly status?: number;
  readonly setCookie?: string;
}

/** A page of the console as an answer. */
export function consoleReply(page: ConsolePage): Reply {
  const { status = 200, setCookie, hasThreads = false } = page;
  const headers = {
    ...consoleHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    ...(hasThreads && { 'Content-Security-Policy': threadsPolicy }),
    ...(setCookie !== undefined && { 'Set-Cookie': setCookie }),
  };
  return { status, headers, body: Buffer.from(whole(page).html) };
}

/** Headers of every answer of the console. Without a referrer, browsers would send no origin. */
export const consoleHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** Sends the browser to another page, relative to the root. */
export function redirectTo(root: string, path: string, setCookie?: string): Reply {
  const cookie = setCookie === undefined ? {} : { 'Set-Cookie': setCookie };
  const headers = { ...consoleHeaders, ...cookie, Location: `${root}${path}` };
  return { status: 303, headers, body: null };
}

function whole({ title, content, root, viewer, place, script = 'console.js' }: ConsolePage): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title} – Proofmark</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${root}pages/style.css">
    <link rel="stylesheet" href="${root}pages/console.css">
    <script type="module" src="${root}pages/${script}"></script>
  </head>
  <body class="console"${
    viewer &&
    html` data-root="${root}" data-after="${viewer.position}"
    data-stale="This page is out of date. Load it again."`
  }>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="top">
      <a class="brand" href="${root}console">Proofmark</a>
      ${viewer && navigation(viewer, root, place)}
    </header>
    <main id="content">${content}</main>
    ${viewer && account(viewer, root)}
  </body>
</html>
`;
}

function navigation({ person }: Viewer, root: string, place: ConsolePage['place']): Html {
  // Members only read.
  const shown = places.filter(([path]) => path !== 'prove' || person.role === 'owner');
  const links = shown.map(([path, name]) => {
    const current = path === place && html` aria-current="page"`;
    return html`<a href="${root}console/${path}"${current}>${name}</a>`;
  });
  return html`<nav aria-label="Console">${links}</nav>`;
}

function account({ person, organisation, formToken }: Viewer, root: string): Html {
  return html`<footer class="account">
      <p>${organisation.name} · ${person.name ?? person.email} (${person.role})</p>
      <form method="post" action="${root}console/sign-out">
        ${tokenField(formToken)}
        <button class="plain">Sign out</button>
        <button class="plain" formaction="${root}console/sign-out-everywhere">Sign out everywhere</button>
      </form>
    </footer>`;
}

/** Field that every form of the console carries. */
export function tokenField(formToken: string): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

/** A sentence about what went wrong; null for none. */
export function noteInHtml(note: string | null): Html | null {
  return note === null ? null : html`<p class="note" role="alert">${note}</p>`;
}

/** Makes a sentence of a refusal's message. */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
