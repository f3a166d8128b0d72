/** Files that systems add to folders. */
const ofSystems = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

/**
 * All files in dropped folders and beside them, with the folders that each was in.
 *
 * @param {readonly FileSystemEntry[]} entries
 * @param {number} most Reading ends after this number of files.
 * @returns {Promise<{files: File[], folderOf: (file: File) => string, isWhole: boolean}>} `isWhole` is false
 *   if a part could not be read.
 */
export async function filesIn(entries, most) {
  /** @type {Map<File, string>} */
  const folders = new Map();
  let isWhole = true;
  const todo = [...entries];
  for (let entry = todo.shift(); entry !== undefined && folders.size < most; entry = todo.shift()) {
    try {
      if (isDirectory(entry)) todo.unshift(...(await entriesOf(entry)));
      else if (isFile(entry) && !ofSystems.test(entry.name)) {
        folders.set(await fileOf(entry), folderIn(entry.fullPath));
      }
    } catch {
      isWhole = false;
    }
  }
  return { files: [...folders.keys()], folderOf: (file) => folders.get(file) ?? '', isWhole };
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
 * Browsers list a folder in parts, until a part is empty.
 * @param {FileSystemDirectoryEntry} folder
 */
async function entriesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}
