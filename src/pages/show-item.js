import { element } from './element.js';
import { fileSize, shownName, text } from './texts.js';

/** @import { Item } from './session.js' */

/**
 * A file that was given, with what it is taken for. The element stays the same; `update` shows how far
 * reading is.
 *
 * @param {Item} item
 * @param {{onRemove: () => void, onUse: (role: 'file' | 'certificate') => void}} options
 */
export function showItem(item, { onRemove, onUse }) {
  const name = shownName(item.file.name);
  const progress = element('progress', {
    max: '1',
    'aria-label': `${text('given.reading')}: ${name}`,
  });
  const update = () => {
    progress.value = item.file.size === 0 ? 1 : item.doneBytes / item.file.size;
  };
  update();
  const row = element(
    'li',
    { class: 'item' },
    element(
      'div',
      { class: 'item-text' },
      element('p', { class: 'role' }, text(roleText(item))),
      element(
        'p',
        { class: 'name' },
        element('bdi', {}, name),
        element('span', { class: 'hint' }, ` ${fileSize(item.file.size)}`),
      ),
      item.role === 'reading' ? progress : null,
      ...notesOn(item).map((note) => element('p', { class: 'note' }, note)),
    ),
    element(
      'div',
      { class: 'item-buttons' },
      otherUse(item, name, onUse),
      element(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'aria-label': text('given.removeThis', { name }),
          onclick: onRemove,
        },
        text('given.remove'),
      ),
    ),
  );
  return { row, update };
}

/** @param {Item} item */
function roleText({ role }) {
  if (role === 'reading') return 'given.reading';
  if (role === 'unread') return 'given.notRead';
  return role === 'certificate' ? 'given.certificate' : 'given.file';
}

/**
 * @param {Item} item
 * @returns {string[]}
 */
function notesOn({ file, role, read, replaced }) {
  if (role === 'unread') return [text('given.unread')];
  const notes = [];
  if (role === 'certificate' && read?.certificate) {
    const { fileName, nonce, hashScheme } = read.certificate;
    const named = fileName === null ? '' : shownName(fileName);
    notes.push(text(named ? 'given.certifies' : 'given.certifiesUnnamed', { name: named }));
    if (nonce === null && hashScheme !== 'sha256-plain-v1') notes.push(text('given.shared'));
  }
  if (role === 'file' && read?.why) {
    const why =
      read.why === 'noBundle' ? { pdf: 'noBundlePdf', json: '' }[read.form ?? 'json'] : read.why;
    if (why) notes.push(text(`given.${why}`));
  }
  if (replaced) {
    const names = { name: shownName(file.name), other: shownName(replaced.file.name) };
    notes.push(text('given.replaced', names));
  }
  return notes;
}

/**
 * A certificate may itself be the file that somebody wants verified.
 *
 * @param {Item} item
 * @param {string} name
 * @param {(role: 'file' | 'certificate') => void} onUse
 */
function otherUse({ role, read }, name, onUse) {
  if (!read?.certificate) return null;
  const other = role === 'certificate' ? 'file' : 'certificate';
  const label = other === 'file' ? 'given.useAsFile' : 'given.useAsCertificate';
  return element(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'aria-label': text(`${label}This`, { name }),
      onclick: () => onUse(other),
    },
    text(label),
  );
}
