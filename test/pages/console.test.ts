import type { Page } from 'playwright-core';
import { test } from 'tap';
import { presentPeople } from '../../src/domain/person/state.ts';
import { streams } from '../../src/domain/streams.ts';
import { startSession } from '../../src/http/console/sessions.ts';
import { loadPeople } from '../../src/loading/load-people.ts';
import { noChromium } from '../support/chromium.ts';
import { startConsoleSite } from '../support/console-site.ts';
import { lookAt } from '../support/look-at.ts';
import { onThisMachine } from '../support/on-this-machine.ts';

const keyIn = async (page: Page) => (await page.locator('#key').textContent()) ?? '';
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

test('people use the console in a real browser', { skip: noChromium }, async (t) => {
  const site = await startConsoleSite(t);
  const { service } = site;
  const { organisationId } = await service.openOrganisation();

  await t.test('from the invitation to a key that works, in less than a minute', async (t) => {
    const startedAt = performance.now();
    const link = await site.invite(organisationId);
    const { page, complaints, requests } = await site.open(link);
    await page.getByText('owner@example.org is invited to Acme as owner.').waitFor();
    await lookAt(t, page, 'console-join');
    await page.fill('#name', '   ');
    await page.click('#join button');
    await page.getByText('Enter your name.').waitFor();
    await page.fill('#name', 'Ada Lovelace');
    await page.click('#join button');
    await heading(page, 'API keys');
    t.notMatch(page.url(), /#/, 'the invitation is not in the address any more');
    await lookAt(t, page, 'console-keys');
    await page.getByRole('link', { name: 'New API key' }).click();
    await lookAt(t, page, 'console-new-key');
    await page.fill('#name', 'Archive');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = await keyIn(page);
    t.equal((await service.call('GET', '/workspaces', { key })).status, 200);
    t.match(await page.locator('#call').textContent(), `Authorization: Bearer ${key}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await lookAt(t, page, 'console-made-key');
    await page.getByRole('link', { name: 'To all API keys' }).click();
    await page.getByRole('heading', { name: 'Archive' }).waitFor();
    await lookAt(t, page, 'console-key');
    const tookMs = performance.now() - startedAt;
    t.ok(tookMs < (await onThisMachine(60_000)), `${tookMs} ms`);
    await page.getByRole('link', { name: 'Revoke Archive' }).click();
    await lookAt(t, page, 'console-revoke');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.locator('.badge-revoked').first().waitFor();
    t.equal((await service.call('GET', '/workspaces', { key })).status, 401);
    t.strictSame(complaints, [], 'no policy is violated and no script fails');
    t.strictSame(
      requests.map((request) => new URL(request.url()).origin).filter((each) => each !== site.url),
      [],
      'nothing comes from elsewhere',
    );
    await page.context().close();
  });

  await t.test('an invitation holds once, also for two people at the same time', async (t) => {
    const link = await site.invite(organisationId, 'raced@example.org');
    const tabs = [await site.open(link), await site.open(link)] as const;
    for (const { page } of tabs) await page.fill('#name', 'Racer');
    await Promise.all(tabs.map(({ page }) => page.click('#join button')));
    const ends = await Promise.all(
      tabs.map(({ page }) =>
        Promise.race([
          heading(page, 'API keys').then(() => 'joined'),
          page
            .getByText('The invitation was used')
            .waitFor()
            .then(() => 'refused'),
        ]),
      ),
    );
    t.strictSame(ends.sort(), ['joined', 'refused']);
    const late = await site.open(link);
    await late.page.getByText('The invitation was used').waitFor();
    for (const { page } of [...tabs, late]) await page.context().close();
  });

  await t.test('signing in starts a new session, and a planted one is never used', async (t) => {
    const { page } = await site.join(await site.invite(organisationId, 'in@example.org'), 'Inge');
    const cookieOf = async () =>
      (await page.context().cookies()).find((each) => each.name === 'console');
    const first = await cookieOf();
    t.match(first, { httpOnly: true, sameSite: 'Strict', path: '/' });
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await heading(page, 'Sign in');
    await lookAt(t, page, 'console-sign-in');
    t.equal(await cookieOf(), undefined);
    const value = 'f'.repeat(43);
    await page.context().addCookies([{ name: 'console', value, url: site.url }]);
    const sent = page.waitForRequest((request) => request.url().endsWith('/console/sign-in'));
    await page.click('#sign-in');
    await heading(page, 'API keys');
    const replayed = await fetch(`${site.url}/console/sign-in`, {
      method: 'POST',
      headers: { origin: site.url, 'content-type': 'application/json' },
      body: (await sent).postData(),
    });
    t.equal(replayed.status, 403, 'what was sent signs nobody in again');
    const second = (await cookieOf())?.value;
    t.notOk([value, first?.value].includes(second), 'a token of its own');
    await page.context().close();
  });

  await t.test('signing out everywhere ends the sessions in other browsers', async (t) => {
    const { page } = await site.join(await site.invite(organisationId, 'all@example.org'), 'Alla');
    const people = presentPeople(await loadPeople(service.store, organisationId));
    const person = people.find(({ name }) => name === 'Alla');
    if (person === undefined) throw new Error('the person is not registered');
    const { personId, registrations: registration } = person;
    const session = { organisationId, personId, registration };
    const { events, sources } = service.services;
    const cookie = `console=${await startSession({ ...events, ...sources }, session)}`;
    const other = async () =>
      (await fetch(`${site.url}/console/keys`, { headers: { cookie } })).status;
    t.equal(await other(), 200);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await heading(page, 'Sign in');
    t.equal(await other(), 401);
    await page.context().close();
  });

  await t.test(
    'a session that ends in the middle of a form loses nothing that was typed',
    async (t) => {
      const { page } = await site.join(
        await site.invite(organisationId, 'typist@example.org'),
        'Tia',
      );
      await page.getByRole('link', { name: 'New API key' }).click();
      await page.fill('#name', 'Typed "with" <care>');
      await page.getByLabel('links:manage share').check();
      await page.fill('#expires', '2999-12-31');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByText('What you typed is kept').waitFor();
      await lookAt(t, page, 'console-sign-in-kept');
      await page.click('#sign-in');
      await heading(page, 'New API key');
      t.equal(await page.inputValue('#name'), 'Typed "with" <care>');
      t.ok(await page.getByLabel('links:manage share').isChecked());
      t.equal(await page.inputValue('#expires'), '2999-12-31');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.locator('#key').waitFor();
      await page.context().close();
    },
  );

  await t.test('an owner creates a workspace, and sees what is used', async (t) => {
    const link = await site.invite(organisationId, 'space@example.org');
    const { page, complaints } = await site.join(link, 'Spacy');
    await page.getByRole('link', { name: 'Workspaces' }).click();
    await page.fill('#name', 'Contracts <2026>');
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await page.getByRole('heading', { name: 'Contracts <2026>' }).waitFor();
    await lookAt(t, page, 'console-workspaces');
    await page.getByRole('link', { name: 'Rename Contracts <2026>' }).click();
    await heading(page, 'Rename “Contracts <2026>”');
    await lookAt(t, page, 'console-rename-workspace');
    await page.fill('#name', 'Agreements');
    await page.getByRole('button', { name: 'Rename the workspace' }).click();
    await page.getByRole('heading', { name: 'Agreements' }).waitFor();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page
      .getByText(/^\d+ of 10,000,000$/)
      .first()
      .waitFor();
    await lookAt(t, page, 'console-usage');
    t.strictSame(complaints, []);
    await page.context().close();
  });

  await t.test('an owner invites a member, who reads, until the owner removes it', async (t) => {
    const owner = await site.join(await site.invite(organisationId, 'boss@example.org'), 'Boss');
    await owner.page.getByRole('link', { name: 'People' }).click();
    await owner.page.fill('#email', 'new@example.org');
    await owner.page.getByRole('button', { name: 'Make an invitation' }).click();
    await owner.page.getByText('Role: member').waitFor();
    await lookAt(t, owner.page, 'console-invitation');
    const link = (await owner.page.locator('#link').textContent()) ?? '';
    const member = await site.join(link, 'Newcomer');
    t.equal(await member.page.getByRole('link', { name: 'New API key' }).count(), 0);
    await owner.page.getByRole('link', { name: 'To all people' }).click();
    await lookAt(t, owner.page, 'console-people');
    const roleIn = (role: string) =>
      owner.page
        .getByRole('listitem')
        .filter({ has: owner.page.getByRole('heading', { name: 'Newcomer' }) })
        .locator('.badge', { hasText: new RegExp(`^${role}$`) })
        .waitFor();
    await owner.page.getByRole('button', { name: 'Make owner Newcomer' }).click();
    await roleIn('owner');
    await member.page.reload();
    await member.page.getByRole('link', { name: 'New API key' }).waitFor();
    await owner.page.getByRole('button', { name: 'Make member Newcomer' }).click();
    await roleIn('member');
    await owner.page.fill('#email', 'new@example.org');
    await owner.page.selectOption('#role', 'owner');
    await owner.page.getByRole('button', { name: 'Make an invitation' }).click();
    await owner.page.getByText('new@example.org is in the list already, as member.').waitFor();
    await lookAt(t, owner.page, 'console-other-role');
    await owner.page.getByRole('button', { name: 'New invitation Newcomer' }).click();
    await owner.page.getByText('Role: member').waitFor();
    t.not(await owner.page.locator('#link').textContent(), link, 'another link');
    await owner.page.getByRole('link', { name: 'To all people' }).click();
    await owner.page.getByRole('link', { name: 'Remove Newcomer' }).click();
    await heading(owner.page, 'Remove Newcomer?');
    await lookAt(t, owner.page, 'console-remove-person');
    await owner.page.getByRole('button', { name: 'Remove the person' }).click();
    await heading(owner.page, 'People');
    await member.page.reload();
    await heading(member.page, 'Sign in');
    await member.page.click('#sign-in');
    await member.page.getByText('This passkey does not sign in here').waitFor();
    const events = await service.store.readStream(streams.people(organisationId));
    t.match(events.at(-1), { type: 'PersonRemoved', meta: { actor: 'console' } });
    t.ok(events.at(-1)?.meta.personId);
    for (const { page } of [owner, member]) await page.context().close();
  });

  await t.test('a new invitation replaces the passkey and ends the sessions', async () => {
    const before = await site.join(await site.invite(organisationId, 'lost@example.org'), 'Lo');
    const after = await site.join(await site.invite(organisationId, 'lost@example.org'), 'Lo');
    await before.page.reload();
    await heading(before.page, 'Sign in');
    await before.page.click('#sign-in');
    await before.page.getByText('This passkey does not sign in here').waitFor();
    await after.page.reload();
    await heading(after.page, 'API keys');
    for (const { page } of [before, after]) await page.context().close();
  });
});
