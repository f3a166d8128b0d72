import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A PDF as Firefox's reader shows it. */
export interface ReadPdf {
  /** Lines of each page, as copied. */
  readonly pages: readonly string[];
  readonly attachments: ReadonlyMap<string, Uint8Array>;
  /** Types of all tagged elements in reading order. */
  readonly tags: readonly string[];
  readonly links: readonly string[];
}

interface StructureNode {
  readonly role?: string;
  readonly children?: readonly StructureNode[];
}

export async function readPdf(pdf: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  const tags: string[] = [];
  const links: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(
      items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''),
    );
    tags.push(...rolesOf((await page.getStructTree()) as StructureNode | null));
    for (const { url } of await page.getAnnotations()) if (url !== undefined) links.push(url);
  }
  const attachments = new Map<string, Uint8Array>();
  for (const name of (await document.getAttachments())?.keys() ?? []) {
    attachments.set(name, (await document.getAttachmentContent(name)) as Uint8Array);
  }
  await task.destroy();
  return { pages, attachments, tags, links };
}

function rolesOf(node: StructureNode | null): string[] {
  if (node === null) return [];
  const own = node.role === undefined || node.role === 'Root' ? [] : [node.role];
  return [...own, ...(node.children ?? []).flatMap(rolesOf)];
}
