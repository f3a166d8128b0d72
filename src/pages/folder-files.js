/** Files that systems add to folders. */
const ofSystems = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

/** Far more than any folder with files to verify has. */
export const maxEntries = 10_000;

/**
 * All files in dropped folders and beside them, with the folders that each was in. Reading ends after
 * `most` files, and after 10,000 entries, folders included.
 *
 * @param {readonly FileSystemEntry[]} entries
 * @param {number} most
 * @returns {Promise<{files: File[], folderOf: (file: File) => string, isWhole: boolean, isTooLarge: boolean}>}
 *   `isWhole` is false if a part could not be read, `isTooLarge` is true with more entries than that.
 */
export async function filesIn(entries, most) {
  /** @type {Map<File, string>} */
  const folders = new Map();
  let isWhole = true;
  let listed = 0;
  // The next entry is the last one.
  const todo = entries.toReversed();
  for (let entry = todo.pop(); entry !== undefined && folders.size < most; entry = todo.pop()) {
    try {
      if (isDirectory(entry)) {
        const inside = await entriesOf(entry, maxEntries - listed + 1);
        listed += inside.length;
        if (listed > maxEntries) break;
        for (const each of inside.reverse()) todo.push(each);
      } else if (isFile(entry) && !ofSystems.test(entry.name)) {
        folders.set(await fileOf(entry), folderIn(entry.fullPath));
      }
    } catch {
      isWhole = false;
    }
  }
  const folderOf = (/** @type {File} */ file) => folders.get(file) ?? '';
  return { files: [...folders.keys()], folderOf, isWhole, isTooLarge: listed > maxEntries };
}

/**
 * The files of a chosen folder without those that systems add.
 * @param {readonly File[]} files
 */
export function chosenFiles(files) {
  return {
    files: files.filter(({ name }) => !ofSystems.test(name)),
    folderOf: (/** @type {File} */ file) => folderIn(file.webkitRelativePath),
    isWhole: true,
    isTooLarge: false,
  };
}

/** @param {string} path */
function folderIn(path) {
  return path
    .replace(/^\//, '')
    .replace(/[^/]*$/, '')
    .replace(/\/$/, '');
}

/**
 * @param {FileSystemEntry} entry
 * @returns {entry is FileSystemDirectoryEntry}
 */
function isDirectory(entry) {
  return entry.isDirectory;
}

/**
 * @param {FileSystemEntry} entry
 * @returns {entry is FileSystemFileEntry}
 */
function isFile(entry) {
  return entry.isFile;
}

/**
 * @param {FileSystemFileEntry} entry
 * @returns {Promise<File>}
 */
function fileOf(entry) {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/**
 * Entries of a folder. Browsers list a folder in parts, until a part is empty. Listing ends when there are
 * at least `most`.
 *
 * @param {FileSystemDirectoryEntry} folder
 * @param {number} most
 */
async function entriesOf(folder, most) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  while (all.length < most) {
    /** @type {FileSystemEntry[]} */
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) break;
    for (const entry of part) all.push(entry);
  }
  return all;
}
