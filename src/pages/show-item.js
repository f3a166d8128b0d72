import { isSalted } from '../domain/proof/hash-scheme.ts';
import { element } from './element.js';
import { showClaimed } from './show-claims.js';
import { fileSize, shownName, text } from './texts.js';

/** @import { Item } from './reading-queue.js' */

/**
 * A given file with its role. `update` shows the progress of reading without a new element.
 *
 * @param {Item} item
 * @param {{role: 'file' | 'certificate', onRemove: () => void}} options
 */
export function showItem(item, { role, onRemove }) {
  const name = shownName(item.file.name);
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
      ...notesOn(item, role).map((note) => element('p', { class: 'note' }, ...note)),
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
 * @param {Item} item
 * @param {'file' | 'certificate'} role
 * @returns {(Node | string)[][]}
 */
function notesOn({ read }, role) {
  if (read === null) return [];
  const { certificate, why, form } = read;
  if (role === 'file') {
    if (certificate !== null) return [[text('given.isCertificate')]];
    return why === 'noBundle' && form === 'pdf' ? [[text('given.noBundlePdf')]] : [];
  }
  if (certificate === null) return [];
  const { fileName, nonce, hashScheme } = certificate;
  const notes = [];
  if (fileName !== null && fileName !== '') {
    notes.push([text('given.names', { name: shownName(fileName) }), ' ', showClaimed()]);
  }
  if (nonce === null && isSalted(hashScheme)) notes.push([text('given.shared')]);
  return notes;
}
