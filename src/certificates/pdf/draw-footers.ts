import type { CertificateContent } from '../certificate-content.ts';
import { type Canvas, drawPlain } from './canvas.ts';
import { colours, frame, type } from './look.ts';
import { setPlainLines } from './set-plain-lines.ts';

const top = 800;

/** On every page: whose certificate it is, that it is confidential, and how many pages there are. */
export function drawFooters({ document }: Canvas, content: CertificateContent): void {
  const { count } = document.bufferedPageRange();
  const confidential = content.nonce === null ? '' : '   ·   Confidential: contains the nonce';
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.markContent('Artifact', { type: 'Pagination' });
    document.moveTo(frame.left, top - 7).lineTo(frame.right, top - 7);
    document.lineWidth(0.5).strokeColor(colours.rule).stroke();
    const style = { style: type.small, colour: colours.muted };
    const canvas = { document, y: top };
    const whose = `Proof ${content.proofId}${confidential}`;
    drawPlain(canvas, whose, { x: frame.left, width: frame.width, ...style });
    const number = `Page ${page + 1} of ${count}`;
    const [line] = setPlainLines(number, { ...type.small, width: frame.width });
    drawPlain(canvas, number, {
      x: frame.right - (line?.width ?? 0),
      width: frame.width,
      ...style,
    });
    document.endMarkedContent();
  }
}
