import type { PdfDocument } from './pdf-document.ts';
import { type PdfDictionary, PdfReference, type PdfValue } from './pdf-value.ts';

/**
 * The streams of all files that some reader may show as attached: those in the catalogue's tree of names,
 * associated with the document or a page, or in a note on a page (ISO 32000-2, 7.11.4, 14.13, 12.5.6.15).
 */
export function attachedFiles(document: PdfDocument): PdfReference[] {
  const { catalogue } = document;
  const names = document.dictionary(catalogue.get('Names'));
  const specifications = [
    ...nodesUnder(document, names?.get('EmbeddedFiles')).flatMap((node) =>
      valuesOf(document, node),
    ),
    ...document.list(catalogue.get('AF')),
    ...nodesUnder(document, catalogue.get('Pages')).flatMap((page) => filesOf(document, page)),
  ];
  const found = specifications.flatMap((specification) => {
    const embedded = document.dictionary(document.dictionary(specification)?.get('EF'));
    return embeddedKeys.map((key) => embedded?.get(key));
  });
  const streams = found.filter((file) => file instanceof PdfReference);
  return [...new Map(streams.map((stream) => [stream.number, stream])).values()];
}

/** Readers choose among them, each in its own order (ISO 32000-1, table 45). */
const embeddedKeys = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

/** The second of each two in a tree of names (ISO 32000-1, 7.9.6). */
function valuesOf(document: PdfDocument, node: PdfDictionary): PdfValue[] {
  return document.list(node.get('Names')).filter((_, index) => index % 2 === 1);
}

function filesOf(document: PdfDocument, page: PdfDictionary): (PdfValue | undefined)[] {
  const notes = document.list(page.get('Annots')).map((note) => document.dictionary(note));
  return [...document.list(page.get('AF')), ...notes.map((note) => note?.get('FS'))];
}

/** Every node of a tree once, however its branches go round. */
function nodesUnder(document: PdfDocument, root: PdfValue | undefined): PdfDictionary[] {
  const found = new Set<PdfDictionary>();
  const todo = [root];
  while (todo.length > 0) {
    const node = document.dictionary(todo.pop());
    if (node === null || found.has(node)) continue;
    found.add(node);
    for (const kid of document.list(node.get('Kids'))) todo.push(kid);
  }
  return [...found];
}
