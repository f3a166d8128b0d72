import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { excessWidth } from './in-page.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { SCREENSHOTS: folder } = process.env;

const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1_280, height: 800 },
};

/**
 * Checks a state of a page with axe, in light and dark, and that nothing is wider than a phone. With
 * SCREENSHOTS=FOLDER it also saves pictures there. `within`: selector of the part that axe checks.
 */
export async function lookAt(
  t: Pick<Test, 'strictSame' | 'ok'>,
  page: Page,
  state: string,
  within = 'html',
) {
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    t.strictSame(
      await faultsIn(page, within, colorScheme === 'light'),
      [],
      `axe: ${state}, ${colorScheme}`,
    );
    if (folder === undefined) continue;
    await mkdir(folder, { recursive: true });
    for (const [name, size] of Object.entries(sizes)) {
      await page.setViewportSize(size);
      const path = join(folder, `${state}-${name}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await page.setViewportSize(sizes.phone);
  t.ok((await page.evaluate(excessWidth)) <= 0, `${state} fits a phone`);
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Themes differ only in colours, so one theme gets the whole check and the other that of contrast. */
async function faultsIn(page: Page, within: string, isWhole: boolean): Promise<string[]> {
  const options = isWhole ? {} : { runOnly: ['color-contrast'] };
  // Half a megabyte, so a page gets it once.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${axe}; null`);
  const run = `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`;
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  }>(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
