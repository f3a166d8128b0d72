import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { excessWidth } from './in-page.js';
import { isThorough } from './run-count.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { SCREENSHOTS: folder } = process.env;

const sizes = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1_280, height: 800 },
};

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** A selector of elements, or one of elements to leave out. */
type Within = string | { readonly exclude: string };

/**
 * Checks a state of a page with axe, and that nothing is wider than a phone. Axe checks a state in one theme,
 * which its name decides; with CI or SCREENSHOTS in both. With SCREENSHOTS=FOLDER it also saves pictures
 * there. `within`: what axe checks, a part of the page or all but some parts.
 */
export async function lookAt(
  t: Pick<Test, 'strictSame' | 'ok'>,
  page: Page,
  state: string,
  within: Within = 'html',
) {
  const before = page.viewportSize();
  const checked = isThorough || folder !== undefined ? themes : [themeOf(state)];
  for (const colorScheme of checked) {
    await page.emulateMedia({ colorScheme });
    const isWhole = colorScheme === checked[0];
    t.strictSame(await faultsIn(page, within, isWhole), [], `axe: ${state}, ${colorScheme}`);
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

/** Half of the states are checked in each theme. */
function themeOf(state: string): Theme {
  const isOdd = Buffer.from(state).reduce((sum, byte) => sum + byte, 0) % 2 === 1;
  return isOdd ? 'dark' : 'light';
}

/** Themes differ only in colours, so one theme gets the whole check and the other that of contrast. */
async function faultsIn(page: Page, within: Within, isWhole: boolean): Promise<string[]> {
  // Axe would describe every element that passes, which takes as long as the checks.
  const options = {
    resultTypes: ['violations'],
    ...(!isWhole && { runOnly: ['color-contrast'] }),
  };
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
