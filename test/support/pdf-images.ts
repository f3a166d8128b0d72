import { PDFiumLibrary } from '@hyzyla/pdfium';

/** A page rendered by PDFium (Chrome's renderer), as RGBA. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Renders all pages; `scale` 1 is 72 dots per inch. */
export async function renderPages(pdf: Uint8Array, scale: number): Promise<PageImage[]> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  const images: PageImage[] = [];
  for (const page of document.pages()) {
    const { width, height, data } = await page.render({ scale, render: 'bitmap' });
    images.push({ width, height, data: Uint8Array.from(data) });
  }
  document.destroy();
  library.destroy();
  return images;
}
