/**
 * Name of a given file after the folders that it was in, if a whole folder was given. It may contain
 * anything: show it by `shownName`.
 *
 * @param {{file: {readonly name: string}, folder?: string}} given
 */
export function pathOf({ file, folder = '' }) {
  return folder === '' ? file.name : `${folder}/${file.name}`;
}
