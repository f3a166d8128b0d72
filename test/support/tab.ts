import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import type { Test } from 'tap';

/** A browser tab, with its requests and its complaints. */
export interface Tab {
  readonly page: Page;
  readonly requests: Request[];
  /** Violations of the Content-Security-Policy, script errors and console messages. */
  readonly complaints: string[];
}

/** A file to give to a page. */
export interface NamedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export function namedFile(name: string, content: string | Buffer): NamedFile {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
}

/** Limit of each wait in a page, in milliseconds: other tests may take the processors. */
export const patienceMs = 120_000;

/** Opens an address in a new browser context without history; it closes with the browser. */
export async function openTab(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patienceMs);
  const requests: Request[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request));
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  const page = await context.newPage();
  await page.goto(url);
  return { page, requests, complaints };
}

/** Closes a tab, after checking that it contacted only its service, sent no data and broke no policy. */
export function finish(t: Pick<Test, 'strictSame'>, { page, requests, complaints }: Tab): void {
  t.strictSame(complaints, [], 'no policy is violated and no script fails');
  const { origin } = new URL(page.url());
  const sending = requests.filter(
    (request) =>
      new URL(request.url()).origin !== origin ||
      request.method() !== 'GET' ||
      request.postData() !== null,
  );
  t.strictSame(
    sending.map((request) => `${request.method()} ${request.url()}`),
    [],
    'no data is sent and no other host is asked',
  );
}

export type Kind = 'proven' | 'trial' | 'partial' | 'disproven' | 'unknown' | 'open';

/** Waits for a verdict of this kind with these words; resolves with its whole text. */
export async function verdict(page: Page, kind: Kind, words: string): Promise<string> {
  const found = page.locator(`.verdict-${kind}`).filter({ hasText: words });
  await found.waitFor();
  return String(await found.textContent()).replace(/\s+/g, ' ');
}

export function give(page: Page, ...files: readonly NamedFile[]): Promise<void> {
  return page.setInputFiles('#files', files);
}
