import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Browser, chromium } from 'playwright-core';
import type { Test } from 'tap';

const { CHROMIUM: named } = process.env;
/** The headless shell is the same engine without a browser's windows: it takes half the processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of the browser, or null. CHROMIUM overrides the usual places. */
const chromiumPath = (named === undefined ? places : [named]).find(existsSync) ?? null;

/** Reason why browser tests are skipped; false if they run. */
export const noChromium =
  chromiumPath === null &&
  'NO BROWSER, so pages are not tested in one: apt-get install chromium-headless-shell, or name it in CHROMIUM';

/** Starts a real headless browser, closed when the test ends. */
export async function startChromium(t: Pick<Test, 'teardown'>): Promise<Browser> {
  if (chromiumPath === null) throw new Error(String(noChromium));
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    // Chromium has no sandbox when root runs it. Only the project's own pages are opened.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  t.teardown(() => browser.close());
  return browser;
}

/** Peak resident memory of any tab since it was opened, in bytes. */
export async function peakTabMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const tabs = processInfo.filter(({ type }) => type === 'renderer');
  return Math.max(...(await Promise.all(tabs.map(({ id }) => peakOf(id)))));
}

async function peakOf(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  return 1_024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}
