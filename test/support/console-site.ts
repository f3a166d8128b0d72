import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { invitePerson } from '../../src/commands/invite-person.ts';
import type { Role } from '../../src/domain/person/events.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { consoleSite, invitationLink } from '../../src/http/console/console-site.ts';
import type { Services } from '../../src/http/services.ts';
import type { IdentityProvider } from '../../src/identity/contract.ts';
import { startChromium } from './chromium.ts';
import { testDeps } from './event-store.ts';
import { startHttpService } from './http-service.ts';
import { openTab, type Tab } from './tab.ts';

/** Starts a service, and a browser in which people use its console. */
export async function startConsoleSite(
  t: Pick<Test, 'teardown'>,
  {
    identityProvider = null,
    ...more
  }: {
    readonly identityProvider?: IdentityProvider | null;
    readonly webhooks?: Services['webhooks'];
  } = {},
) {
  const service = await startHttpService(t, {
    services: {
      limits: { addressRequestsPerMinute: 100_000 },
      site: { identityProvider },
      ...more,
    },
  });
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
    /** Signs in by the passkey of the page's device, in another tab of its browser. */
    async signInAgain(page: Page): Promise<boolean> {
      const answer = await page.evaluate<boolean>(signInByPasskey);
      return answer;
    },
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

/** The device of a page is the page's own, so what another tab does runs here. */
const signInByPasskey = `(async () => {
  const { startAuthentication } = await import('/pages/webauthn/index.js');
  const post = async (path, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const optionsJSON = await post('/console/sign-in/options', {});
  const { token } = await post('/console/sign-in', await startAuthentication({ optionsJSON }));
  return typeof token === 'string';
})()`;

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
