import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChromium } from './chromium.ts';
import { projectRoot } from './run.ts';

/**
 * Draws `src/pages/preview.png`, the picture that a link to a page shows elsewhere:
 * `node test/support/draw-preview.ts`. 1200 × 630 pixels, as Open Graph readers expect.
 */
const closers: (() => unknown)[] = [];
const browser = await startChromium({ teardown: (close) => void closers.push(close) });
const page = await browser.newPage({ viewport: { width: 1_200, height: 630 } });
await page.setContent(`<!doctype html><html lang="en"><style>
  body { margin: 0; height: 630px; background: #143d34; color: #fff; display: grid;
    grid-template-columns: auto 1fr; align-items: center; gap: 70px; padding: 0 90px;
    box-sizing: border-box; font-family: "DejaVu Sans", sans-serif; }
  b { display: block; font-size: 92px; letter-spacing: -3px; }
  span { display: block; margin-top: 26px; font-size: 41px; line-height: 1.35; color: #cfe6dc; }
</style>
<svg width="250" height="250" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#fff"/>
<path d="M7 12.5l3.4 3.4L17 8.8" fill="none" stroke="#143d34" stroke-width="2.4"/></svg>
<p><b>Proofmark</b><span>Proof that a file existed,<br>unchanged, by a given time.</span></p></html>`);
await writeFile(join(projectRoot, 'src/pages/preview.png'), await page.screenshot());
for (const close of closers) await close();
