import type { Page } from 'playwright-core';
import { test } from 'tap';
import { noChromium } from '../support/chromium.ts';
import { startConsoleSite } from '../support/console-site.ts';
import { documentForm } from '../support/forms.ts';
import { lookAt } from '../support/look-at.ts';
import { callsOf } from '../support/run-service.ts';
import { createScriptedAnchoring } from '../support/scripted-anchoring.ts';
import { createScriptedDeliveries } from '../support/scripted-deliveries.ts';

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();
const hostile = 'Offer \u202eplease <b>sign<b> – '.padEnd(240, 'long ');

test('owners use the places of the console in a real browser', { skip: noChromium }, async (t) => {
  const webhooks = createScriptedDeliveries();
  const site = await startConsoleSite(t, { webhooks });
  const { service } = site;
  const { organisationId, key, workspaceId } = await service.openOrganisation();
  const { store, services } = service;
  (await createScriptedAnchoring(store, { signal: services.events.signal })).follow(t);
  const owner = await site.join(await site.invite(organisationId), 'Ada Lovelace');
  const { page, complaints, requests } = owner;
  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();

  await t.test('empty places teach the next step', async (t) => {
    for (const [place, text] of [
      ['Documents', 'Nothing is proven yet'],
      ['Webhooks', 'No endpoint listens'],
      ['Agent runs', 'No agent has reported a run'],
      ['Ledger account', 'No account is known yet|Each proof of your organisation'],
    ] as const) {
      await go(place);
      await heading(page, place);
      await page.getByText(new RegExp(text)).first().waitFor();
      await lookAt(t, page, `console-empty-${place.toLowerCase().replace(' ', '-')}`);
    }
  });

  await t.test('a document is found, certified and shared', async (t) => {
    const upload = async (path: string, name: string, bytes: string) => {
      const body = documentForm({ workspace: workspaceId }, { name, bytes });
      return (await service.call('POST', path, { key, body })).body.data;
    };
    const first = await upload('/documents', `${hostile}.txt`, 'one');
    for (const n of [2, 3]) {
      await upload(`/documents/${first.documentId}/version`, `contract v${n}.txt`, `${n}`);
    }
    await go('Documents');
    await lookAt(t, page, 'console-documents');
    await page.fill('#search', 'contract v2');
    await page.keyboard.press('Enter');
    await page.getByText('1 proof', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'contract v2.txt' }).click();
    await heading(page, 'contract v2.txt');
    await page.getByRole('button', { name: 'Issue the certificate' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the PDF of certificate 1' }).click();
    t.match((await download).suggestedFilename(), /^certificate-\w{26}\.pdf$/);
    const bundle = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Bundle without the nonce' }).click();
    t.match((await bundle).suggestedFilename(), /-shared\.json$/);
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the file' }).click();
    t.equal((await file).suggestedFilename(), 'contract v2.txt');
    await page.getByLabel('Show the name of the file').check();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await heading(page, 'Your new link');
    await lookAt(t, page, 'console-new-link');
    t.match(await page.locator('#link').textContent(), /\/shared\//);
    await page.getByRole('link', { name: 'Back to the document' }).click();
    await lookAt(t, page, 'console-document');
    await page.getByRole('link', { name: /^Withdraw the link/ }).click();
    await lookAt(t, page, 'console-withdraw');
    await page.getByRole('button', { name: 'Withdraw the link' }).click();
    await page.getByText('This proof is not shared.').waitFor();
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    const ended = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the PDF of certificate 1' }).click();
    t.ok(await (await ended).failure(), 'the page to sign in is not saved as a certificate');
    await page.context().addCookies(cookies);
    await page.getByRole('link', { name: 'Revision 1' }).click();
    await heading(page, /^Offer/);
    await lookAt(t, page, 'console-document-hostile');
  });

  await t.test('an endpoint is registered, tested, changed, rotated and deleted', async (t) => {
    await go('Webhooks');
    await page.getByRole('link', { name: 'New endpoint' }).click();
    await lookAt(t, page, 'console-new-webhook');
    await page.fill('#url', 'http://hooks.example/');
    await page.fill('#description', 'Archive');
    await page.getByRole('button', { name: 'Register the endpoint' }).click();
    await page.getByRole('alert').waitFor();
    await page.fill('#url', 'https://hooks.example/archive');
    await page.getByRole('button', { name: 'Register the endpoint' }).click();
    t.match(await page.locator('#secret').textContent(), /^whsec_/);
    await lookAt(t, page, 'console-secret');
    await page.getByRole('link', { name: 'To the endpoint' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered: HTTP 204').waitFor();
    const { body } = await service.call('GET', '/webhooks', { key });
    const { id } = body.data[0];
    for (let n = 0; n < 3; n += 1) webhooks.add(id);
    const gone = { status: 'failed', attempts: 10, responseStatus: 503 } as const;
    webhooks.add(id, { ...gone, createdAt: new Date().toISOString() });
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await lookAt(t, page, 'console-webhooks');
    await page.getByRole('link', { name: 'Archive' }).click();
    await lookAt(t, page, 'console-webhook');
    await page.getByRole('button', { name: 'Send them again' }).click();
    await page.getByText('1 delivery is sent again now.').waitFor();
    await page
      .getByRole('button', { name: /^Send again/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Change' }).click();
    const other = await page.context().newPage();
    await other.goto(page.url());
    for (const [tab, name] of [
      [other, 'Faster'],
      [page, 'Slower'],
    ] as const) {
      await tab.fill('#description', name);
      await tab.getByRole('button', { name: 'Save the changes' }).click();
    }
    await page.getByText('Somebody changed this while you had the form open').waitFor();
    t.equal(await page.inputValue('#description'), 'Faster');
    await other.close();
    await lookAt(t, page, 'console-changed-meanwhile');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Rotate the secret' }).click();
    await lookAt(t, page, 'console-rotate');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await heading(page, 'The new secret');
    await page.getByRole('link', { name: 'To the endpoint' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('by your organisation').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await page.getByRole('link', { name: 'Delete' }).click();
    await lookAt(t, page, 'console-delete-webhook');
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByText('No endpoint listens').waitFor();
  });

  await t.test('runs of agents and their decisions are read', async (t) => {
    const agent = callsOf(service, await service.issueKey(organisationId, { agent: true }));
    const decisions = [
      { subject: 'contract.pdf', action: 'protect', reason: 'signed by both' },
      { subject: hostile, action: 'skip', reason: hostile.repeat(4) },
    ];
    const report = { runId: 'nightly/2026-11-21', mode: 'unattended', objective: 'contracts' };
    const finishedAt = '2026-11-21T02:00:00Z';
    const counts = { seen: 31, protected: 1 };
    t.equal((await agent.post({ ...report, finishedAt, counts, decisions })).status, 201);
    await go('Agent runs');
    await lookAt(t, page, 'console-runs');
    await page.getByRole('link', { name: 'nightly/2026-11-21' }).click();
    await page.getByText('signed by both').first().waitFor();
    await lookAt(t, page, 'console-run');
    await go('Agent runs');
    await page.getByRole('link', { name: 'All decisions' }).click();
    await page.fill('#action', 'protect');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 decision', { exact: true }).waitFor();
    await lookAt(t, page, 'console-decisions');
  });

  await t.test('no policy is violated, and nothing comes from elsewhere', async (t) => {
    // Refused forms, which Chromium reports as resources that it failed to load.
    const refused = /^Failed to load resource: the server responded with a status of 4\d\d /;
    t.strictSame(
      complaints.filter((complaint) => !refused.test(complaint)),
      [],
    );
    const origins = requests.map((request) => new URL(request.url()).origin);
    t.strictSame(
      origins.filter((each) => each !== site.url),
      [],
    );
    await page.context().close();
  });
});
