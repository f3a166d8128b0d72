import { test } from 'tap';
import { noChromium } from '../support/chromium.ts';
import { startConsoleSite } from '../support/console-site.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { lookAt } from '../support/look-at.ts';

test('people sign in by a provider in a real browser', { skip: noChromium }, async (t) => {
  const provider = await startIdentityProvider(t);
  const site = await startConsoleSite(t, { identityProvider: provider.identityProvider });
  provider.register(`${site.url}/console/oidc/return`);
  const { organisationId } = await site.service.openOrganisation();
  const account = { email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' };
  provider.signInAs('ada', account);

  await t.test('an invitation is accepted, and the cookie of the session is strict', async (t) => {
    const link = await site.invite(organisationId, 'ada@example.org');
    const { page, complaints } = await site.open(link);
    await lookAt(t, page, 'console-join-provider');
    await page.getByRole('button', { name: 'Join with Example Accounts' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByText('Ada Lovelace (owner)').waitFor();
    const cookies = await page.context().cookies(site.url);
    const session = cookies.find(({ name }) => name === 'console');
    t.match(session, { httpOnly: true, sameSite: 'Strict' });
    await page.reload();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    t.strictSame(complaints, [], 'no policy is violated');
    await page.context().close();
  });

  await t.test('an invitation found by the address is accepted by a button', async (t) => {
    await site.invite(organisationId, 'grace@example.org', 'member');
    provider.signInAs('grace', { ...account, email: 'grace@example.org', name: 'Grace Hopper' });
    const { page, complaints } = await site.open(`${site.url}/console`);
    await page.getByRole('button', { name: 'Sign in with Example Accounts' }).click();
    await page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
    await page.getByText('grace@example.org is invited as member.').waitFor();
    await lookAt(t, page, 'console-accept-invitation');
    await page.getByRole('button', { name: 'Accept and join' }).click();
    await page.getByText('Grace Hopper (member)').waitFor();
    t.strictSame(complaints, [], 'no policy is violated');
    provider.signInAs('ada', account);
    await page.context().close();
  });

  await t.test('a form whose session has ended comes back from the provider', async (t) => {
    const { page } = await site.open(`${site.url}/console/usage`);
    await lookAt(t, page, 'console-sign-in-provider');
    await page.getByRole('button', { name: 'Sign in with Example Accounts' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('link', { name: 'New API key' }).click();
    await page.fill('#name', 'Typed "with" <care>');
    await page.fill('#expires', '2999-12-31');
    await page.context().clearCookies({ name: 'console' });
    const script = Promise.withResolvers<void>();
    await page.route('**/pages/console-entry.js', async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('What you typed is kept').waitFor();
    const signIn = page.getByRole('button', { name: 'Sign in with Example Accounts' });
    t.ok(await signIn.isDisabled(), 'no click is lost before the script listens');
    script.resolve();
    await signIn.click();
    await page.getByRole('heading', { name: 'New API key' }).waitFor();
    t.equal(await page.inputValue('#name'), 'Typed "with" <care>');
    t.equal(await page.inputValue('#expires'), '2999-12-31');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.locator('#key').waitFor();
    t.equal(await page.evaluate('sessionStorage.length'), 0, 'nothing typed stays behind');
    await page.context().close();
  });

  await t.test('a person of two organisations chooses one', async (t) => {
    const other = await site.service.openOrganisation('professional', 'Other');
    await site.invite(other.organisationId, 'ada@example.org', 'member');
    const { page } = await site.open(`${site.url}/console`);
    await page.getByRole('button', { name: 'Sign in with Example Accounts' }).click();
    await page.getByRole('heading', { name: 'Choose an organisation' }).waitFor();
    await lookAt(t, page, 'console-choose');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'is invited as member' })
      .getByRole('button', { name: 'Accept and join' })
      .click();
    await page.getByText('Ada Lovelace (member)').waitFor();
    await page.context().close();
  });

  await t.test('who is refused is told why', async (t) => {
    provider.signInAs('eve', { ...account, name: 'Eve' });
    const { page } = await site.open(`${site.url}/console`);
    await page.getByRole('button', { name: 'Sign in with Example Accounts' }).click();
    await page.getByText('or with another account of the provider').waitFor();
    await lookAt(t, page, 'console-provider-refused');
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });
});
