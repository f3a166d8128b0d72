import type { PdfDocument } from './pdf-document.ts';
import { type PdfDictionary, PdfReference, type PdfValue } from './pdf-value.ts';
import { UnreadablePdf } from './unreadable-pdf.ts';

/**
 * The streams of all files that a PDF reader may show as attached (ISO 32000-2):
 * - files in the catalogue's name tree (7.11.4),
 * - files associated with the document or a page (14.13),
 * - files in annotations of a page (12.5.6.15).
 */
export async function attachedFiles(document: PdfDocument): Promise<PdfReference[]> {
  const catalogue = await document.catalogue();
  const names = await document.dictionary(catalogue.get('Names'));
  const lists: (readonly (PdfValue | undefined)[])[] = [];
  for (const node of await nodesUnder(document, names?.get('EmbeddedFiles'))) {
    lists.push(await valuesOf(document, node));
  }
  lists.push(await document.list(catalogue.get('AF')));
  for (const page of await nodesUnder(document, catalogue.get('Pages'))) {
    lists.push(await filesOf(document, page));
  }
  const streams = new Map<number, PdfReference>();
  for (const specification of lists.flat()) {
    const file = await document.dictionary(specification);
    const embedded = await document.dictionary(file?.get('EF'));
    for (const key of embeddedKeys) {
      const stream = embedded?.get(key) ?? null;
      if (stream instanceof PdfReference) streams.set(stream.number, stream);
      else if (stream !== null)
        throw new UnreadablePdf('an attached file is not a readable stream');
    }
  }
  return [...streams.values()];
}

/** Keys of embedded files (ISO 32000-1, table 45). Readers differ in the key that they prefer. */
const embeddedKeys = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

/** The values of a name tree's node, which alternate with their names (ISO 32000-1, 7.9.6). */
async function valuesOf(document: PdfDocument, node: PdfDictionary): Promise<PdfValue[]> {
  const names = await document.list(node.get('Names'));
  return names.filter((_, index) => index % 2 === 1);
}

async function filesOf(
  document: PdfDocument,
  page: PdfDictionary,
): Promise<(PdfValue | undefined)[]> {
  const files: (PdfValue | undefined)[] = [];
  for (const file of await document.list(page.get('AF'))) files.push(file);
  for (const note of await document.list(page.get('Annots'))) {
    files.push((await document.dictionary(note))?.get('FS'));
  }
  return files;
}

/** Every node of a tree once, even if its branches form a cycle. */
async function nodesUnder(
  document: PdfDocument,
  root: PdfValue | undefined,
): Promise<PdfDictionary[]> {
  const found = new Set<PdfDictionary>();
  const todo = [root];
  while (todo.length > 0) {
    const node = await document.dictionary(todo.pop());
    if (node === null || found.has(node)) continue;
    found.add(node);
    for (const kid of await document.list(node.get('Kids'))) todo.push(kid);
  }
  return [...found];
}
