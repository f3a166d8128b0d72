import { createHash } from 'node:crypto';
import { type Test, test } from 'tap';
import type { CertificateContent } from '../../../src/certificates/certificate-content.ts';
import {
  type CertificateRenderer,
  createCertificateRenderer,
  type RendererOptions,
} from '../../../src/certificates/pdf/certificate-renderer.ts';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import { RendererUnavailable } from '../../../src/certificates/pdf/renderer-unavailable.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { newOrganisationId } from '../../support/blobs.ts';
import { certificateBundle, certificateContent } from '../../support/certificate-content.ts';
import { until } from '../../support/until.ts';

const digest = (pdf: Uint8Array) => createHash('sha256').update(pdf).digest('hex');

function renderer(t: Pick<Test, 'teardown'>, options: RendererOptions = {}) {
  const made = createCertificateRenderer(options);
  t.teardown(() => made.close());
  return ofOne(made);
}

/** The same renderer, for one organisation. */
function ofOne({ render, close }: CertificateRenderer) {
  const organisationId = newOrganisationId();
  return {
    render: (content: CertificateContent, bundle: Uint8Array) =>
      render(organisationId, content, bundle),
    close,
  };
}

/** Millions of names at once: no time is enough. */
const monstrous = certificateContent({ fileName: 'monstrous 中'.repeat(4_000_000) });

test('a thread renders what the function renders', async (t) => {
  const content = certificateContent({ fileName: 'عربي 中文.pdf' });
  const pdf = await renderer(t).render(content, certificateBundle);
  t.equal(digest(pdf), digest(await renderCertificate(content, certificateBundle)));
});

test('certificates that are asked for at once come from several threads, each its own', async (t) => {
  const { render } = renderer(t, { threads: 2 });
  const contents = Array.from({ length: 8 }, (_, n) =>
    certificateContent({ fileName: `${n}.pdf` }),
  );
  const pdfs = await Promise.all(contents.map((content) => render(content, certificateBundle)));
  for (const [index, content] of contents.entries()) {
    const expected = await renderCertificate(content, certificateBundle);
    t.equal(digest(pdfs[index] ?? new Uint8Array()), digest(expected));
  }
});

test('the thread that asks goes on meanwhile', async (t) => {
  const { render } = renderer(t);
  await render(certificateContent(), certificateBundle);
  const { utilization } = await used(async () => {
    await Promise.all(
      Array.from({ length: 60 }, () => render(certificateContent(), certificateBundle)),
    );
  });
  t.ok(utilization < 0.5, `this thread was busy for ${utilization * 100}% of the time`);
});

async function used(work: () => Promise<void>) {
  const before = performance.eventLoopUtilization();
  await work();
  return performance.eventLoopUtilization(before);
}

test('refuses what is more than may wait', async (t) => {
  const { render } = renderer(t, { maxWaiting: 1 });
  const inHand = render(certificateContent(), certificateBundle);
  const waiting = render(certificateContent(), certificateBundle);
  await t.rejects(render(certificateContent(), certificateBundle), RendererUnavailable);
  t.equal(digest(await inHand), digest(await waiting));
});

test('certificates of one organisation do not delay those of another', async (t) => {
  const { render, close } = createCertificateRenderer();
  t.teardown(close);
  const [many, few] = [newOrganisationId(), newOrganisationId()];
  const done: string[] = [];
  const ask = async (organisationId: OrganisationId, name: string) => {
    await render(organisationId, certificateContent({ fileName: name }), certificateBundle);
    done.push(name);
  };
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask(many, name));
  await Promise.all([...all, ask(few, 'b1')]);
  t.strictSame(done, ['a1', 'a2', 'b1', 'a3', 'a4', 'a5']);
});

test('a content that cannot be rendered is an error of its own, and the thread goes on', async (t) => {
  const { render } = renderer(t);
  const broken = certificateContent({ issuedAt: 'yesterday' });
  await t.rejects(render(broken, certificateBundle), { name: 'RangeError' });
  t.ok(await render(certificateContent(), certificateBundle));
});

test('a certificate that kills its threads is given up, and the next one is rendered', async (t) => {
  const thread = new URL('../../support/hungry-render-thread.ts', import.meta.url);
  const { render } = renderer(t, { memoryMb: 96, thread });
  const deadly = render(certificateContent({ fileName: 'hungry' }), certificateBundle);
  const next = render(certificateContent(), certificateBundle);
  await t.rejects(deadly, {
    ...{ name: 'RendererUnavailable', message: 'its thread died' },
    cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' },
  });
  t.ok(await next);
});

test('a certificate that takes too long is given up, and the next one is rendered', async (t) => {
  const { render } = renderer(t, { timeoutMs: 4_000, memoryMb: 4_096 });
  const endless = render(monstrous, certificateBundle);
  const next = () => render(certificateContent(), certificateBundle).catch(() => null);
  const waiting = next();
  await t.rejects(endless, { name: 'RendererUnavailable', message: /within 4000 ms/ });
  // On a machine that is busy with other things that one may take as long.
  t.ok((await waiting) ?? (await until('the next one is rendered', next)));
});

test('closing refuses what waits and what is in hand, and what comes later', async (t) => {
  const { render, close } = ofOne(createCertificateRenderer());
  const inHand = render(certificateContent(), certificateBundle);
  const waiting = render(certificateContent(), certificateBundle);
  const refusals = Promise.all([
    t.rejects(inHand, RendererUnavailable),
    t.rejects(waiting, RendererUnavailable),
  ]);
  await close();
  await refusals;
  await t.rejects(render(certificateContent(), certificateBundle), RendererUnavailable);
});
