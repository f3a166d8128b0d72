import { isSalted } from '../domain/proof/hash-scheme.ts';
import { element } from './element.js';
import { pathOf } from './path-of.js';
import { showClaimed } from './show-claims.js';
import { fileSize, shownName, text } from './texts.js';

/** @import { Voucher } from './certificate-steps.js' */
/** @import { Item } from './given-file.ts' */

/**
 * A given file with its role. `update` shows the progress of reading without a new element.
 *
 * @param {Item} item
 * @param {{role: 'file' | 'certificate', signed: Voucher, onRemove: () => void}} options `signed`: the
 *   voucher for the issuer's signature of the certificate.
 */
export function showItem(item, { role, signed, onRemove }) {
  const name = shownName(pathOf(item));
  const label = `${text('given.reading')}: ${name}`;
  const progress = element('progress', { max: '1', 'aria-label': label });
  const update = () => {
    progress.value = item.file.size === 0 ? 1 : item.doneBytes / item.file.size;
  };
  update();
  const remove = element(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'aria-label': text('given.removeThis', { name }),
      onclick: onRemove,
    },
    text('given.remove'),
  );
  const size = element('span', { class: 'hint' }, ` ${fileSize(item.file.size)}`);
  const row = element(
    'li',
    { class: 'item' },
    element(
      'div',
      { class: 'item-text' },
      element('p', { class: 'role' }, text(roleText(item, role))),
      element('p', { class: 'name' }, element('bdi', {}, name), size),
      item.status === 'reading' ? progress : null,
      ...notesOn(item, role).map(({ words, isClaim }) => {
        const label = isClaim ? [' ', showClaimed(signed)] : [];
        return element('p', { class: 'note' }, words, ...label);
      }),
    ),
    remove,
  );
  return { row, update };
}

/**
 * @param {Item} item
 * @param {'file' | 'certificate'} role
 */
function roleText({ status, read }, role) {
  if (status === 'waiting') return 'given.waiting';
  if (status === 'reading') return 'given.reading';
  if (status === 'unread') return 'given.notRead';
  if (role === 'file' && read?.why && read.why !== 'noBundle') return 'given.unusable';
  return role === 'certificate' ? 'given.certificate' : 'given.file';
}

/**
 * A note on a given file. `isClaim`: nothing but the certificate says so.
 * @typedef {{words: string, isClaim: boolean}} Note
 */

/**
 * Notes on a given file in its role.
 *
 * @param {Item} item
 * @param {'file' | 'certificate'} role
 * @returns {Note[]}
 */
export function notesOn({ read }, role) {
  if (read === null) return [];
  const { certificate, why, form } = read;
  const note = (/** @type {string} */ words) => ({ words, isClaim: false });
  if (role === 'file') {
    if (certificate !== null) return [note(text('given.isCertificate'))];
    return why === 'noBundle' && form === 'pdf' ? [note(text('given.noBundlePdf'))] : [];
  }
  if (certificate === null) return [];
  const { fileName, nonce, hashScheme } = certificate;
  const notes = [];
  if (fileName !== null && fileName !== '') {
    notes.push({ words: text('given.names', { name: shownName(fileName) }), isClaim: true });
  }
  if (nonce === null && isSalted(hashScheme)) notes.push(note(text('given.shared')));
  return notes;
}
