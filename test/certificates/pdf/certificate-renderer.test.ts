import { createHash } from 'node:crypto';
import tap, { type Test, test } from 'tap';
import type { CertificateContent } from '../../../src/certificates/certificate-content.ts';
import {
  type CertificateRenderer,
  createCertificateRenderer,
  type RendererOptions,
  RendererUnavailable,
} from '../../../src/certificates/pdf/certificate-renderer.ts';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
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

/** For all tests that say nothing of its threads: reading the fonts takes longest. */
const shared = createCertificateRenderer();
tap.teardown(() => shared.close());

/** Script of threads that fail on certain names of files. */
const troubled = new URL('../../support/troubled-render-thread.ts', import.meta.url);

test('a thread renders the same bytes as the function', async (t) => {
  const content = certificateContent({ fileName: 'عربي 中文.pdf' });
  const pdf = await ofOne(shared).render(content, certificateBundle);
  t.equal(digest(pdf), digest(await renderCertificate(content, certificateBundle)));
});

test('concurrent certificates are rendered by several threads, each with its own content', async (t) => {
  const { render } = renderer(t, { threads: 2 });
  const contents = Array.from({ length: 4 }, (_, n) =>
    certificateContent({ fileName: `${n}.pdf` }),
  );
  const pdfs = await Promise.all(contents.map((content) => render(content, certificateBundle)));
  for (const [index, content] of contents.entries()) {
    const expected = await renderCertificate(content, certificateBundle);
    t.equal(digest(pdfs[index] ?? new Uint8Array()), digest(expected));
  }
});

test('the calling thread stays idle during rendering', async (t) => {
  const { render } = ofOne(shared);
  await render(certificateContent(), certificateBundle);
  // Processor time: waiting for a processor takes none.
  const [here, all] = [process.threadCpuUsage(), process.cpuUsage()];
  await Promise.all(
    Array.from({ length: 5 }, () => render(certificateContent(), certificateBundle)),
  );
  const share = total(process.threadCpuUsage(here)) / total(process.cpuUsage(all));
  t.ok(share < 0.5, `this thread took ${share * 100} % of the processor time`);
});

function total({ user, system }: { readonly user: number; readonly system: number }): number {
  return user + system;
}

test('refuses certificates above the limit of waiting ones', async (t) => {
  const { render } = renderer(t, { maxWaiting: 1 });
  const inHand = render(certificateContent(), certificateBundle);
  const waiting = render(certificateContent(), certificateBundle);
  await t.rejects(render(certificateContent(), certificateBundle), RendererUnavailable);
  t.equal(digest(await inHand), digest(await waiting));
});

test('certificates of one organisation do not delay those of another', async (t) => {
  const [many, few] = [newOrganisationId(), newOrganisationId()];
  const done: string[] = [];
  const ask = async (organisationId: OrganisationId, name: string) => {
    await shared.render(organisationId, certificateContent({ fileName: name }), certificateBundle);
    done.push(name);
  };
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask(many, name));
  await Promise.all([...all, ask(few, 'b1')]);
  t.strictSame(done, ['a1', 'a2', 'b1', 'a3', 'a4', 'a5']);
});

test('content that cannot be rendered rejects with its own error, and the thread continues', async (t) => {
  const { render } = ofOne(shared);
  const broken = certificateContent({ issuedAt: 'yesterday' });
  await t.rejects(render(broken, certificateBundle), { name: 'RangeError' });
  t.ok(await render(certificateContent(), certificateBundle));
});

test('gives up a certificate that kills its threads, and renders the next one', async (t) => {
  const { render } = renderer(t, { memoryMb: 96, thread: troubled });
  const deadly = render(certificateContent({ fileName: 'hungry' }), certificateBundle);
  const next = render(certificateContent(), certificateBundle);
  await t.rejects(deadly, {
    ...{ name: 'RendererUnavailable', message: 'its thread died' },
    cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' },
  });
  t.ok(await next);
});

test('gives up a certificate that takes too long, and renders the next one', async (t) => {
  const { render } = renderer(t, { timeoutMs: 10_000, thread: troubled });
  const endless = render(certificateContent({ fileName: 'endless' }), certificateBundle);
  const next = () => render(certificateContent(), certificateBundle).catch(() => null);
  const waiting = next();
  await t.rejects(endless, { name: 'RendererUnavailable', message: /within 10000 ms/ });
  // On a busy machine the next certificate may time out too.
  t.ok((await waiting) ?? (await until('the next one is rendered', next)));
});

test('closing rejects waiting, current and later certificates', async (t) => {
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
