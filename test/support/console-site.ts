import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { invitePerson } from '../../src/commands/invite-person.ts';
import type { Role } from '../../src/domain/person/events.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { consoleSite, invitationLink } from '../../src/http/console/console-site.ts';
import { startChromium } from './chromium.ts';
import { testDeps } from './event-store.ts';
import { startHttpService } from './http-service.ts';
import { openTab, type Tab } from './tab.ts';

/** Starts a service, and a browser in which people use its console. */
export async function startConsoleSite(t: Pick<Test, 'teardown'>) {
  const service = await startHttpService(t, { services: { addressRequestsPerMinute: 100_000 } });
  const browser = await startChromium(t);
  const { url } = consoleSite(service.url);
  const deps = { ...testDeps, store: service.store, now: () => new Date() };

  /** A link for a new person of the organisation. */
  async function invite(
    organisationId: OrganisationId,
    email = 'owner@example.org',
    role: Role = 'owner',
  ) {
    const order = { organisationId, email, role };
    const { invitation } = await invitePerson(deps, order, { actor: 'operator' });
    return invitationLink(service.url, invitation);
  }

  /** Opens an address in a browser of its own, which has a device with passkeys. */
  async function open(address: string, options?: BrowserContextOptions): Promise<Tab> {
    const tab = await openTab(browser, 'about:blank', options ?? {});
    await addPasskeyDevice(tab.page);
    await tab.page.goto(address);
    return tab;
  }

  return {
    ...{ service, browser, url, invite, open },
    /** Accepts an invitation in a browser of its own; the tab then shows the keys. */
    async join(link: string, name = 'Ada Lovelace', options?: BrowserContextOptions): Promise<Tab> {
      const tab = await open(link, options);
      await tab.page.fill('#name', name);
      await tab.page.click('#join button');
      await tab.page.getByRole('heading', { name: 'API keys' }).waitFor();
      return tab;
    },
  };
}

export type ConsoleSite = Awaited<ReturnType<typeof startConsoleSite>>;

/** Adds a virtual authenticator that verifies its user. */
async function addPasskeyDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}
