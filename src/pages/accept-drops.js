/**
 * Accepts files that are dropped anywhere on the page, or pasted. Highlights `target` while files
 * are dragged over the page.
 *
 * @param {HTMLElement} target
 * @param {(files: File[]) => void} onFiles
 */
export function acceptDrops(target, onFiles) {
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
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
  addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
}

/** @param {DataTransfer | null} transfer */
function holdsFiles(transfer) {
  return transfer?.types.includes('Files') ?? false;
}
