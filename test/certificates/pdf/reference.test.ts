import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { test } from 'tap';
import type { CertificateContent } from '../../../src/certificates/certificate-content.ts';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import {
  currentTemplate,
  type TemplateVersion,
  templateVersions,
} from '../../../src/domain/proof/template-version.ts';
import {
  barestContent,
  certificateBundle,
  certificateContent,
  fullestContent,
} from '../../support/certificate-content.ts';
import { type PageImage, renderPages } from '../../support/pdf-images.ts';

/**
 * Permanent output of each template version: digests and images. A version never changes after its
 * first release. UPDATE_REFERENCES=1 rewrites the output of the current version.
 */
const folderOf = (version: TemplateVersion) =>
  join(import.meta.dirname, 'reference', `template-${version}`);
const isUpdate = process.env.UPDATE_REFERENCES === '1';

/** 36 dots per inch in grey, which shows layout and weight, but hardly single letters. */
const scale = 36 / 72;
/** Tolerance of a grey value (0–255), for the smoothing of edges. */
const greyTolerance = 40;
/** Tolerated share of differing pixels. A line that moves by a point exceeds it. */
const maxDifferingShare = 0.002;

const references: Readonly<Record<string, CertificateContent>> = {
  ordinary: certificateContent(),
  fullest: fullestContent,
  barest: barestContent,
  'right-to-left': certificateContent({
    fileName: 'عقد الإيجار (نسخة ٣) 2026.pdf',
    organisationName: 'משרד עורכי דין כהן',
    workspaceName: 'شَهَادَات',
  }),
  'east-asian': certificateContent({
    fileName: '売買契約書ー最終版カタカナひらがな.pdf',
    organisationName: '北京建筑设计有限公司',
    workspaceName: '공급 계약',
  }),
  'indic-and-emoji': certificateContent({
    fileName: 'आपूर्ति अनुबंध 👍🏽 👨‍👩‍👧 🇩🇪.pdf',
    organisationName: 'Łódź Ελληνικά Договор',
    workspaceName: 'invoice\u202Efdp.exe',
  }),
};

const cases = templateVersions.flatMap((templateVersion) =>
  Object.entries(references).map(
    ([name, content]) => [name, { ...content, templateVersion }] as const,
  ),
);

for (const [name, content] of cases) {
  const { templateVersion } = content;
  test(`the ${name} certificate of template ${templateVersion} has the same bytes and looks as before`, async (t) => {
    const folder = folderOf(templateVersion);
    const digestsFile = join(folder, 'sha256.json');
    const update = isUpdate && templateVersion === currentTemplate;
    const pdf = await renderCertificate(content, certificateBundle);
    const digest = createHash('sha256').update(pdf).digest('hex');
    const digests = JSON.parse(await readFile(digestsFile, 'utf8'));
    // The guide of the variants equals that of the ordinary certificate.
    const pages = (await renderPages(pdf, scale)).slice(0, isVariant(content) ? 1 : 3);
    for (const [index, page] of pages.entries()) {
      const file = join(folder, `${name}-${index + 1}.png`);
      if (update) await writeFile(file, encode(page));
      const share = differingShare(page, PNG.sync.read(await readFile(file)));
      t.ok(share <= maxDifferingShare, `page ${index + 1} differs in ${share * 100}% of pixels`);
    }
    if (update) {
      const changed = { ...digests, [name]: digest };
      await writeFile(digestsFile, `${JSON.stringify(changed, null, 2)}\n`);
    } else {
      t.equal(digest, digests[name]);
    }
  });
}

function isVariant({ fileName, organisationName }: CertificateContent): boolean {
  return fileName !== null && organisationName !== certificateContent().organisationName;
}

test('the comparison of pages detects a missing line', async (t) => {
  const pdf = await renderCertificate(
    certificateContent({ fileSizeBytes: null }),
    certificateBundle,
  );
  const [page] = await renderPages(pdf, scale);
  if (page === undefined) throw new Error('no page');
  const stored = PNG.sync.read(await readFile(join(folderOf(currentTemplate), 'ordinary-1.png')));
  t.ok(differingShare(page, stored) > 0);
  const moved = {
    ...page,
    data: Buffer.concat([page.data.subarray(4 * page.width), Buffer.alloc(4 * page.width)]),
  };
  t.ok(differingShare(moved, stored) > maxDifferingShare);
});

function encode({ width, height, data }: PageImage): Buffer {
  const png = new PNG({ width, height });
  png.data.fill(255);
  for (let at = 0; at < data.length; at += 4) png.data.fill(greyAt(data, at), at, at + 3);
  return PNG.sync.write(png, { colorType: 0, inputHasAlpha: true, deflateLevel: 9 });
}

/** Grey value by the luminance weights of ITU-R BT.709. */
function greyAt(data: Uint8Array, at: number): number {
  const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
  return Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
}

function differingShare(page: PageImage, stored: PageImage): number {
  if (page.width !== stored.width || page.height !== stored.height) return 1;
  let differing = 0;
  for (let at = 0; at < page.data.length; at += 4) {
    const difference = Math.abs(greyAt(page.data, at) - (stored.data[at] ?? 0));
    if (difference > greyTolerance) differing += 1;
  }
  return (differing * 4) / page.data.length;
}
