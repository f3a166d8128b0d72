/**
 * Accepts files that are dropped anywhere on the page, or pasted. Highlights `target` while files
 * are dragged over the page. With a folder among the dropped files, `onEntries` is called in place of
 * `onFiles`.
 *
 * @param {HTMLElement} target
 * @param {(files: File[]) => void} onFiles
 * @param {(entries: FileSystemEntry[]) => void} onEntries
 */
export function acceptDrops(target, onFiles, onEntries) {
  let depth = 0;
  const over = (/** @type {number} */ change) => {
    depth = Math.max(0, depth + change);
    target.classList.toggle('drop-over', depth > 0);
  };
  addEventListener('dragenter', (event) => holdsFiles(event.dataTransfer) && over(1));
  addEventListener('dragleave', (event) => holdsFiles(event.dataTransfer) && over(-1));
  addEventListener('dragover', (event) => {
    if (holdsFiles(event.dataTransfer)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!holdsFiles(event.dataTransfer)) return;
    // Otherwise the browser opens the file instead of this page.
    event.preventDefault();
    over(-depth);
    const entries = entriesIn(event.dataTransfer);
    if (entries.some(({ isDirectory }) => isDirectory)) onEntries(entries);
    else onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
}

/**
 * Browsers give the entries only while the event is handled.
 * @param {DataTransfer | null} transfer
 */
function entriesIn(transfer) {
  return [...(transfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
}

/** @param {DataTransfer | null} transfer */
function holdsFiles(transfer) {
  return transfer?.types.includes('Files') ?? false;
}
