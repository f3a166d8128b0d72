import type { StructureElement } from 'pdfkit';
import type { CertificateDocument } from '../certificate-document.ts';

/** Places of the byte range, until the signature is placed. The number has ten digits. */
export const unknownOffset = 9_999_999_999;

const printedAndLocked = 0x04 | 0x80;
/** The document has signatures, and changes are to be appended only (ISO 32000-1, table 219). */
const signedAppendOnly = 3;

/**
 * Puts an invisible signature field on the current page, with room for a detached CMS (ETSI EN 319
 * 142-1). The widget has no area, so PDF/A demands no appearance. Screen readers find it as a form
 * field with a name.
 */
export function putSignatureField(
  document: CertificateDocument,
  parent: StructureElement,
  { issuedAt, roomBytes }: { readonly issuedAt: Date; readonly roomBytes: number },
): void {
  const signature = document.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    ByteRange: [0, unknownOffset, unknownOffset, unknownOffset],
    Contents: Buffer.alloc(roomBytes),
    M: issuedAt,
  });
  signature.end();
  const form = document.struct('Form');
  parent.add(form);
  const name = new String('Digital signature of the issuing service');
  document.annotate(0, 0, 0, 0, {
    Subtype: 'Widget',
    FT: 'Sig',
    T: new String('Signature'),
    TU: name,
    Contents: name,
    F: printedAndLocked,
    V: signature,
    P: document.page.dictionary,
    structParent: form,
  });
  form.end();
  const { annotations } = document.page;
  const acroForm = document.ref({ Fields: annotations.slice(-1), SigFlags: signedAppendOnly });
  acroForm.end();
  document._root.data.AcroForm = acroForm;
}
