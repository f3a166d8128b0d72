import type { Page, Route } from 'playwright-core';
import type { Test } from 'tap';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import { signCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { addCosignature } from '../../../src/transparency-log/published/cosigned-checkpoints.ts';
import { anchorNewest, stampNewest } from '../../support/anchor-checkpoint.ts';
import { doubleText, excessWidth, focused } from '../../support/in-page.js';
import { lookAt } from '../../support/look-at.ts';
import { markedEntry } from '../../support/marked-event.ts';
import type { PageSite } from '../../support/page-site.ts';
import { logSeed } from '../../support/publishing-site.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';
import { finish, verdict } from '../../support/tab.ts';
import { unsignedToken } from '../../support/unsigned-token.ts';
import { sampleCosigner } from '../../support/witness-servers.ts';

const cosigner = sampleCosigner(1);
const time = '2026-11-21T02:00:03.000Z';

export async function logInBrowser(t: Test, site: PageSite): Promise<void> {
  const { service } = site;
  const { store, services, call } = service;

  await t.test(
    'a log without checkpoints says so, and shows the first one on demand',
    async (t) => {
      const tab = await site.open('/log');
      const { page } = tab;
      await verdict(page, 'open', 'The log has no checkpoint yet');
      await page.getByText('No checkpoint is on the ledger yet.').waitFor();
      await lookAt(t, page, 'log-empty');
      await service.publish();
      await page.locator('#newest').getByRole('button', { name: 'Try again' }).press('Enter');
      await verdict(page, 'open', 'The log signed this checkpoint.');
      const title = await page.locator('#newest .verdict-title').textContent();
      t.equal(await page.evaluate(focused), title, 'the focus is on the verdict');
      await page.getByText('There is no earlier checkpoint.').waitFor();
      await page.locator('#newest summary').click();
      await page.getByText('No witness has cosigned this checkpoint.').waitFor();
      await page.getByText('This checkpoint has no time-stamp token.').waitFor();
      finish(t, tab);
    },
  );

  const proofId = await anchorProof(t, site);
  const note = await publishWithEvidence();
  const [origin = ''] = note.split('\n');
  const logKey = noteSigner(origin, logSeed);
  await store.append([markedEntry('more', 0, ...Array.from({ length: 300 }, String))], {});
  const { size } = await service.publish();

  /** Publishes a checkpoint with a cosignature, an anchor and a token; returns its note. */
  async function publishWithEvidence(): Promise<string> {
    await service.publish();
    const signed = (await call('GET', '/log/checkpoint')).text;
    const text = signed.slice(0, signed.indexOf('\n\n') + 1);
    const { total: number } = (await call('GET', '/log/checkpoints')).body.meta;
    const lines = cosigner.cosign(text, 1_700_000_000);
    await addCosignature(services.events.db, { number, vkey: cosigner.vkey, lines });
    await anchorNewest(service);
    const token = unsignedToken(text, time).toString('base64');
    await stampNewest(service, { token, time, authority: 'CN=Example TSA' });
    const head = await store.head();
    for (const name of ['checkpoint-anchors', 'timestamps']) {
      await awaitPosition(services.events.db, name, head, { signal: services.events.signal });
    }
    return signed;
  }

  await t.test('nothing is shown as verified before the browser has verified it', async (t) => {
    const { page } = await site.open('/');
    const answers: (() => Promise<void>)[] = [];
    await page.route('**/log/checkpoints?*', (route) => {
      answers.push(() => route.continue());
    });
    await page.goto(`${service.url}/log`);
    await page.locator('#newest').getByText('Asking the service').waitFor();
    t.equal(await page.locator('.verdict-proven, .mark-ok').count(), 0);
    for (const answer of answers) await answer();
    await page.unroute('**/log/checkpoints?*');
    await verdict(page, 'open', `${size} events`);
  });

  await t.test('evidence that the page cannot check is not checked', async (t) => {
    const tab = await site.open('/log');
    const { page } = tab;
    await verdict(page, 'open', `${size} events`);
    const anchored = page.locator('#anchored .card');
    t.match(
      await anchored.locator('summary').textContent(),
      'not checked: 1 witness · on the ledger · time-',
    );
    await anchored.locator('summary').press('Enter');
    const statuses = () => anchored.locator('.status').allInnerTexts();
    t.strictSame(await statuses(), ['holds', 'not checked', 'not verified', 'not checked']);
    t.match(await anchored.textContent(), 'contains the SHA-256 that your browser computed');
    t.match(await anchored.textContent(), '2:00:03');
    const link = anchored.getByRole('link', { name: 'Open an independent explorer' });
    t.match(await link.getAttribute('href'), 'https://livenet.xrpl.org/transactions/');
    await page.locator('#newest summary').click();
    await lookAt(t, page, 'log-newest');

    await page.locator('#known summary').click();
    await page.fill('#keys', `witness w ${cosigner.vkey} https://w.example\nnonsense`);
    await page.locator('#keys').blur();
    await page.getByText('No key was found on line 2.').waitFor();
    t.strictSame(await statuses(), ['holds', 'holds', 'not verified', 'not checked']);
    t.match(await anchored.textContent(), 'November 14, 2023');
    await page.fill('#keys', `${logKey.vkey}\n`);
    await page.getByText('with a key that you gave').first().waitFor();
    await verdict(page, 'proven', `${size} events`);
    t.ok((await page.locator('#earlier > * > * .mark-ok, #anchored summary .mark-ok').count()) > 0);
    await page.fill('#keys', noteSigner(origin, Buffer.alloc(32, 9)).vkey);
    await verdict(page, 'disproven', 'must not be relied on');
    await page.getByText('None of the keys that you gave for this log').first().waitFor();
    t.equal(await page.locator('.verdict-proven, .mark-ok').count(), 0);
    await page.fill('#keys', '');
    await verdict(page, 'open', `${size} events`);
    finish(t, tab);
  });

  await t.test('finds an event by position and by proof id, with the keyboard alone', async (t) => {
    const tab = await site.open('/log');
    const { page } = tab;
    await verdict(page, 'open', `${size} events`);
    for (let press = 0; press < 8; press += 1) {
      if ((await page.evaluate(focused)) === 'wanted') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    t.match(await verdict(page, 'open', 'Event 2 is in the log'), 'at this position');
    const found = page.locator('#found');
    await found.locator('summary').click();
    const { leafHash } = (await call('GET', '/log/leaves/1')).body.data;
    t.match(await found.locator('code').allInnerTexts(), [leafHash, '1']);
    await lookAt(t, page, 'log-leaf');

    await look(page, proofId.toLowerCase());
    const { leafIndex } = (await call('GET', `/log/proofs/${proofId}`)).body.data;
    await verdict(page, 'open', `Event ${leafIndex + 1} is in the log`);
    t.match(await found.textContent(), 'That was not checked, since the event is not public');
    await look(page, String(size + 1));
    await verdict(page, 'unknown', `The log has no event ${size + 1} yet`);
    await look(page, '01M7XT7TZ4E5F6G7H8J9KAMBNC');
    await verdict(page, 'unknown', 'The log has no anchoring of this proof');
    await look(page, 'nonsense');
    t.ok(await page.isVisible('#wanted-mistake'));
    t.match(tab.complaints.splice(0), [/404/, /404/], "the browser's own console errors");
    finish(t, tab);
  });

  await t.test('forged signatures, roots, leaves and paths are found', async (t) => {
    const tab = await site.open('/log');
    const { page } = tab;
    await verdict(page, 'open', `${size} events`);
    const flipped = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
    const otherRoot = Buffer.alloc(32, 5);
    const signature = (signed: string) =>
      signed.replace(/(.)(.{19}\n)$/, (_, one, rest) => (one === 'A' ? 'B' : 'A') + rest);
    const root = (signed: string) =>
      signed.replace(/\n[^\n]+\n\n/, `\n${otherRoot.toString('base64')}\n\n`);
    type Change = (data: LeafBody) => void;
    const rows: [string, string, Change][] = [
      [
        'a forged signature',
        'The signature does not match',
        (data) => {
          data.checkpoint = signature(data.checkpoint);
        },
      ],
      [
        'another root',
        'do not give the root',
        (data) => {
          data.checkpoint = root(data.checkpoint);
        },
      ],
      [
        'another root, signed with the key of the log',
        'shows more than one history',
        (data) => {
          data.checkpoint = signCheckpoint({ origin, size, root: otherRoot }, [logKey]);
        },
      ],
      [
        'another key of the service',
        'None of the keys that the service states',
        (data) => {
          data.logKeys = [noteSigner(origin, Buffer.alloc(32, 9)).vkey];
        },
      ],
      [
        'another leaf',
        'do not give the root',
        (data) => {
          data.leafHash = flipped(data.leafHash);
        },
      ],
      [
        'another path',
        'do not give the root',
        (data) => {
          data.hashes[1] = flipped(data.hashes[1] ?? '');
        },
      ],
      [
        'a path that is too short',
        'do not give the root',
        (data) => {
          data.hashes.pop();
        },
      ],
      [
        'the leaf of another event',
        'another position than the one',
        (data) => {
          data.leafIndex = 2;
        },
      ],
    ];
    const found = page.locator('#found');
    for (const [name, words, change] of rows) {
      await tampered(page, '**/log/leaves/*', change);
      await look(page, '2');
      await verdict(page, 'disproven', 'It is not shown that event');
      t.match(await found.textContent(), words, name);
      t.equal(await found.locator('.verdict-proven').count(), 0, name);
      if (name === 'another leaf') {
        await found.locator('summary').click();
        await lookAt(t, page, 'log-failed');
      }
    }
    await look(page, '2');
    await verdict(page, 'open', 'Event 2 is in the log');
    // A size that no list on the page has.
    for (const fill of [6, 7]) {
      await tampered<LeafBody>(page, '**/log/leaves/*', (data) => {
        const checkpoint = { origin, size: size + 1_000, root: Buffer.alloc(32, fill) };
        data.checkpoint = signCheckpoint(checkpoint, [logKey]);
      });
      await look(page, '2');
      await verdict(page, 'disproven', 'It is not shown that event');
      const words = (await found.textContent())?.includes('shows more than one history');
      t.equal(words, fill === 7, 'a second history between two look-ups');
    }
    finish(t, tab);
  });

  await t.test('a forged list is found, and a new epoch is named', async (t) => {
    const tab = await site.open('/');
    const { page } = tab;
    const open = async (anchored: boolean, change: (data: ListBody) => void) => {
      await tampered(page, `**/log/checkpoints?*anchored=${anchored}`, change);
      await page.goto(`${service.url}/log`);
    };
    const changed = (signed: string) => signed.replace(`\n${size}\n`, `\n${size + 1}\n`);
    await open(false, ([first]) => {
      if (first) first.checkpoint = changed(first.checkpoint);
    });
    await verdict(page, 'disproven', 'must not be relied on');
    await open(true, ([first]) => {
      if (first?.anchor) first.anchor.memo = '{}';
    });
    await page.locator('#anchored .mark-failed').first().waitFor({ state: 'attached' });
    t.match(await page.locator('#anchored').textContent(), 'does not fit this checkpoint');
    await open(true, ([first]) => {
      if (first?.timestamp) {
        first.timestamp.token = unsignedToken('other', time).toString('base64');
      }
    });
    await page.locator('#anchored .mark-failed').first().waitFor({ state: 'attached' });
    t.match(await page.locator('#anchored').textContent(), 'its SHA-256 is another');

    const second = noteSigner(`${origin}/2`, logSeed);
    await open(false, ([first]) => {
      if (first === undefined) return;
      const checkpoint = { origin: second.name, size, root: Buffer.alloc(32, 1) };
      first.checkpoint = signCheckpoint(checkpoint, [second]);
      first.logKeys = [second.vkey];
    });
    await verdict(page, 'open', `${size} events`);
    await page.getByText('Epoch 2 of the log').waitFor();
    t.equal((await page.locator('#earlier .mark-ok').count()) > 0, true, 'of the first epoch');
    finish(t, tab);
  });

  await t.test(
    'when the service is away, refuses or answers nonsense, it can be asked again',
    async (t) => {
      const tab = await site.open('/log');
      const { page, complaints } = tab;
      await verdict(page, 'open', `${size} events`);
      await page.context().setOffline(true);
      await look(page, '2');
      await verdict(page, 'unknown', 'This service cannot be reached');
      await page.context().setOffline(false);
      const answers: [Parameters<Route['fulfill']>[0], string][] = [
        [{ status: 429, headers: { 'Retry-After': '1' } }, 'asks you to wait 1 second.'],
        [{ status: 503, headers: { 'Retry-After': '7200' } }, 'asks you to wait 2 hours.'],
        [{ status: 200, json: { data: { leafIndex: 1 } } }, 'makes no sense to this page'],
        [{ status: 502, body: '<h1>bad gateway</h1>' }, 'makes no sense to this page'],
      ];
      const again = page.locator('#found').getByRole('button', { name: 'Try again' });
      for (const [answer, words] of answers) {
        await page.route('**/log/leaves/*', (route) => route.fulfill(answer), { times: 1 });
        await again.click();
        await verdict(page, 'unknown', words);
      }
      await again.click();
      await verdict(page, 'open', 'Event 2 is in the log');
      complaints.splice(0); // the browser's own errors for failed requests

      await page.locator('#found summary').click();
      await page.locator('#newest summary').click();
      await page.setViewportSize({ width: 360, height: 740 });
      t.ok((await page.evaluate(excessWidth)) <= 0, 'fits a small phone');
      await page.evaluate(doubleText);
      t.ok((await page.evaluate(excessWidth)) <= 0, 'with text at 200 % too');
      await page.setViewportSize({ width: 1_280, height: 720 });
      finish(t, tab);
    },
  );

  await t.test('shows older checkpoints page by page, each once', async (t) => {
    for (let count = 0; count < 6; count += 1) {
      await store.append([markedEntry(`next-${count}`, 0, 'x')], {});
      await service.publish();
    }
    const tab = await site.open('/log');
    const { page } = tab;
    await verdict(page, 'open', `${size + 6} events`);
    await store.append([markedEntry('last', 0, 'x')], {});
    await service.publish();
    const { total } = (await call('GET', '/log/checkpoints')).body.meta;
    const more = page.locator('#earlier').getByRole('button', { name: 'Show older checkpoints' });
    const items = page.locator('#earlier summary');
    const before = await items.count();
    await more.press('Enter');
    await items.nth(before).waitFor();
    t.equal(
      await page.evaluate(focused),
      await items.nth(before).textContent(),
      'the first new one',
    );
    const last = page.locator('#earlier').getByText('Checkpoint 1:');
    await last.waitFor();
    t.equal(await page.locator('#earlier li.card').count(), total - 2);
    finish(t, tab);
    await page.goto('about:blank');
  });
}

interface LeafBody {
  leafHash: string;
  leafIndex: number;
  readonly hashes: string[];
  checkpoint: string;
  logKeys: string[];
}

type ListBody = {
  checkpoint: string;
  logKeys: string[];
  readonly anchor: { memo: string } | null;
  readonly timestamp: { token: string } | null;
}[];

/** Changes the next answer of the service. */
async function tampered<Body>(page: Page, url: string, change: (data: Body) => void) {
  const alter = async (route: Route) => {
    const response = await route.fetch();
    const body = await response.json();
    change(body.data);
    await route.fulfill({ response, json: body });
  };
  await page.route(url, alter, { times: 1 });
}

/** Looks up an event. */
async function look(page: Page, wanted: string): Promise<void> {
  await page.fill('#wanted', wanted);
  await page.getByRole('button', { name: 'Find' }).click();
}

/** Anchors a proof; returns its id. */
async function anchorProof(t: Pick<Test, 'teardown'>, { service }: PageSite): Promise<string> {
  const { store, services } = service;
  const anchoring = await createScriptedAnchoring(store, { signal: services.events.signal });
  anchoring.follow(t);
  const { key, workspaceId: workspace } = await service.openOrganisation();
  const json = { hash: randomDigest(), workspace };
  return (await service.call('POST', '/proofs', { key, json })).body.data.proofId;
}
