import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { createCertificateRenderer } from '../../src/certificates/pdf/certificate-renderer.ts';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import type { TransactionLookup } from '../../src/ledger/contract.ts';
import { newOrganisationId } from './blobs.ts';
import { startChromium } from './chromium.ts';
import { startHttpService } from './http-service.ts';
import { type SampleOptions, sampleProof, sampleText, sampleWallet } from './sample-bundle.ts';
import { connected, createScriptedGateway } from './scripted-gateway.ts';
import { namedFile, openTab, type Tab } from './tab.ts';

type Validated = Extract<TransactionLookup, { found: 'validated' }>;

/** Starts a service that knows the sample proofs as anchored, and a browser for its pages. */
export async function startPageSite(t: Pick<Test, 'teardown'>) {
  const mainnet = createScriptedGateway('mainnet');
  const testnet = createScriptedGateway('testnet');
  const gateways = { mainnet, testnet };
  const service = await startHttpService(t, {
    services: {
      ledger: {
        network: 'mainnet',
        gateways: [mainnet, testnet],
        ownAccounts: [mainnet, testnet].map(({ network }) => ({
          network,
          address: sampleWallet.address,
        })),
      },
    },
  });
  const renderer = createCertificateRenderer({ timeoutMs: 120_000 });
  t.teardown(() => renderer.close());
  const browser: Browser = await startChromium(t);
  const { content } = sampleProof();
  const pdf = await renderer.render(newOrganisationId(), content, Buffer.from(sampleText()));

  let tab: Tab | null = null;
  const site = {
    service,
    browser,
    ...gateways,
    /** Certificate of the sample, made by the service. */
    certificate: namedFile('certificate.pdf', Buffer.from(pdf)),
    /** Puts a sample on the scripted ledger, with changes; returns its transaction hash. */
    anchor(options: SampleOptions = {}, change: Partial<Validated> = {}): string {
      const { content, evidence } = sampleProof(options);
      const { transactionHash: hash, network, standalone, ledgerIndex, ledgerHash } = content;
      gateways[network].status.next({ ...connected, standalone });
      gateways[network].answers.set(hash, {
        found: 'validated',
        ...{ ledgerIndex, ledgerHash, closeTime: evidence.closeTime },
        result: 'tesSUCCESS',
        account: content.account,
        memos: [evidence.memo],
        ...change,
      });
      return hash;
    },
    /**
     * Opens a page in the shared tab, or with options in a new browser context. If the tab shows
     * `/verify` already, `Start again` empties it: a load makes more than a hundred requests.
     */
    async open(path: string, options?: BrowserContextOptions): Promise<Tab> {
      const url = `${service.url}${path}`;
      if (options !== undefined) return openTab(browser, url, options);
      if (tab === null) {
        tab = await openTab(browser, url);
        return tab;
      }
      const isShown = path === '/verify' && tab.page.url() === url;
      if (isShown) await startAgain(tab.page);
      // Leave the previous page first, so that its requests and complaints are not counted.
      else await tab.page.goto('about:blank');
      for (const kept of [tab.requests, tab.complaints]) kept.splice(0);
      if (!isShown) await tab.page.goto(url);
      return tab;
    },
    /** Opens `/verify` and enters a transaction hash. */
    async enter(transactionHash: string): Promise<Tab> {
      const tab = await site.open('/verify');
      await tab.page.fill('#hash', transactionHash);
      return tab;
    },
    /** Closes the shared tab. */
    async closeTab(): Promise<void> {
      await tab?.page.context().close();
      tab = null;
    },
  };
  const before = mainnet.answers.get(site.anchor());
  if (typeof before !== 'object' || before.found !== 'validated') throw new Error('not anchored');
  const memo = proofMemo({ fileHash: 'c'.repeat(64), hashScheme: 'sha256-plain-v1' });
  mainnet.answers.set(String(content.previousTransactionHash), { ...before, memos: [memo] });
  return site;
}

/** Empties `/verify`, which then asks for each answer again. */
async function startAgain(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Start again' });
  if (await button.isVisible()) await button.click();
  await page.locator('#result').waitFor({ state: 'hidden' });
}

export type PageSite = Awaited<ReturnType<typeof startPageSite>>;
