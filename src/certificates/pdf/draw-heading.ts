import type { StructureElement } from 'pdfkit';
import type { CertificateContent } from '../certificate-content.ts';
import { type Canvas, decorated, drawPlain, tagged } from './canvas.ts';
import { networkTitle } from './evidence.ts';
import { colours, frame, type } from './look.ts';

/** Draws the name of the service, the title and a summary in one sentence. */
export function drawHeading(
  canvas: Canvas,
  parent: StructureElement,
  content: CertificateContent,
): void {
  const { document } = canvas;
  decorated(canvas, () => {
    document.rect(0, 0, document.page.width, 5).fill(colours.accent);
  });
  const across = { x: frame.left, width: frame.width };
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, 'PROOFMARK', {
      ...across,
      style: type.label,
      colour: colours.accent,
    });
  });
  canvas.y += 8;
  tagged(canvas, parent, 'H1', () => {
    canvas.y += drawPlain(canvas, 'Certificate of existence', { ...across, style: type.title });
  });
  canvas.y += 7;
  const lede = `The file described here existed, exactly as it is, no later than the moment at which its fingerprint was recorded on ${ledgers[networkTitle(content)]}.${content.standalone ? '' : ' Anybody can check that.'}`;
  tagged(canvas, parent, 'P', () => {
    canvas.y += drawPlain(canvas, lede, { ...across, style: type.lede, colour: colours.muted });
  });
  canvas.y += 12;
}

const ledgers: Readonly<Record<ReturnType<typeof networkTitle>, string>> = {
  'XRP Ledger': 'the XRP Ledger',
  'XRP Ledger Testnet': 'the test network of the XRP Ledger',
  'Development ledger': 'a development ledger',
};
