import './console.js';
import { acceptDrops } from './accept-drops.js';
import { CertificateSaver } from './certificate-saver.js';
import { byId } from './element.js';
import { chosenFiles, filesIn, maxEntries } from './folder-files.js';
import { CallFailed, ProveCalls, SessionEnded, secondsUntilRetry } from './prove-calls.js';
import { ProveQueue } from './prove-queue.js';
import { ProveRow } from './prove-row.js';
import { saveBlob } from './save-blob.js';

/** @import { Item } from './prove-item.js' */

/** Maximum number of files on the page. */
const mostFiles = 1_000;
const betweenMs = 300;

const form = document.getElementById('prove');
if (form instanceof HTMLFormElement) {
  begin(form);
  form.inert = false;
}

/** @param {HTMLFormElement} form */
function begin({ dataset }) {
  const { root = './', token = '', maxBytes = '0' } = dataset;
  const calls = new ProveCalls({ root, token });
  /** @type {Map<Item, ProveRow>} */
  const rows = new Map();
  /** Number of nonces that the reader has downloaded. */
  let keptNonces = 0;
  let isSumming = false;
  const saver = new CertificateSaver(calls, {
    save: saveBlob,
    onWait: (seconds) =>
      note(`The service is busy. The download of certificates goes on in ${seconds} seconds.`),
  });
  const queue = new ProveQueue(calls, { onChange, onTrouble });
  const [trouble, notice, keep] = [byId('trouble'), byId('notice'), byId('keep')];
  const again = /** @type {HTMLButtonElement} */ (trouble.querySelector('button'));

  /** @type {ReturnType<typeof setTimeout> | undefined} The next attempt of a queue that stopped. */
  let attempt;

  /** @param {Item} item */
  function onChange(item) {
    let row = rows.get(item);
    if (row === undefined) {
      row = new ProveRow(item, (of) => saveCertificates([of]));
      rows.set(item, row);
      byId('proofs').append(row.row);
    }
    row.update();
    if (!isSumming) setTimeout(summarise, betweenMs);
    isSumming = true;
  }

  function summarise() {
    isSumming = false;
    const count = (/** @type {(item: Item) => boolean} */ is) => queue.items.filter(is).length;
    const proven = count(({ status }) => status === 'completed');
    const failed = count(({ status }) => status === 'failed');
    const hashed = count(({ hash }) => hash !== null);
    const all = queue.items.length;
    const isOver = proven + failed === all;
    const words = [`${hashed} of ${all} hashed`, `${proven} proven`];
    if (failed > 0) words.push(`${failed} failed`);
    byId('state').textContent = `${words.join(', ')}.${isOver ? ' All files are finished.' : ''}`;
    keep.hidden = !queue.items.some(({ nonce }) => nonce !== null) && proven === 0;
    byId('keep-nonces').hidden = !queue.items.some(({ nonce }) => nonce !== null);
    byId('keep-certificates').hidden = proven === 0;
  }

  /** @param {unknown} error */
  function onTrouble(error) {
    const isEnded = error instanceof SessionEnded;
    const seconds = secondsUntilRetry(error);
    const why =
      error instanceof Error && error.message !== '' ? error.message : 'an unexpected error';
    say(
      isEnded
        ? 'Your session has ended. Nothing on this page is lost: sign in in another tab, then continue here.'
        : `Sending stopped: ${why}.${seconds === null ? '' : ` It goes on in ${seconds} seconds.`}`,
      seconds === null,
    );
    clearTimeout(attempt);
    if (seconds !== null) attempt = setTimeout(goOn, seconds * 1_000);
  }

  /**
   * Says why the queue stopped; nothing if it goes on.
   * @param {string} text
   * @param {boolean} [needsReader]
   */
  function say(text, needsReader = false) {
    const [line] = trouble.getElementsByTagName('p');
    if (line !== undefined) line.textContent = text;
    [trouble.hidden, again.hidden] = [text === '', !needsReader];
  }

  /**
   * Says anything else. The reason for a stopped queue stays, with its button.
   * @param {string} text
   */
  function note(text) {
    [notice.textContent, notice.hidden] = [text, text === ''];
  }

  async function goOn() {
    try {
      await calls.renew();
      say('');
      queue.resume();
    } catch (error) {
      onTrouble(error);
    }
  }

  /**
   * @param {readonly File[]} files
   * @param {boolean} [isWhole]
   */
  function give(files, isWhole = true) {
    note(isWhole ? '' : 'A part of the folder cannot be read.');
    const upload = /** @type {HTMLInputElement} */ (byId('upload')).checked;
    const workspace = /** @type {HTMLSelectElement} */ (byId('workspace')).value;
    const most = Number(maxBytes);
    if (queue.items.length + files.length > mostFiles) {
      note(
        `This page proves at most ${mostFiles.toLocaleString('en')} files. Load it again for more.`,
      );
    } else if (upload && files.some(({ size }) => size > most)) {
      note(
        `A file is larger than ${most.toLocaleString('en')} bytes, the most that can be uploaded. Prove it without uploading.`,
      );
    } else queue.add(files, { workspace, isUpload: upload });
  }

  /** @param {readonly Item[]} items */
  async function saveCertificates(items) {
    try {
      await saver.save(items);
      note('');
    } catch (error) {
      if (error instanceof SessionEnded) onTrouble(error);
      else note(whyNotSaved(error));
    }
  }

  /** Only one download of all at a time: each certificate is a call that counts. */
  async function saveAllCertificates() {
    const proven = queue.items.filter(({ status }) => status === 'completed');
    const unsaved = saver.unsaved(proven);
    if (unsaved.length === 0) {
      note('All certificates were downloaded. To get one again, use the button of its file.');
      return;
    }
    const button = /** @type {HTMLButtonElement} */ (byId('keep-certificates'));
    button.disabled = true;
    await saveCertificates(unsaved);
    button.disabled = false;
  }

  function saveNonces() {
    const kept = queue.items.filter(({ nonce }) => nonce !== null);
    const lines = kept.map(({ file, hash, proofId, nonce, commitment }) => ({
      ...{ fileName: file.name, fileHash: hash, proofId, proofNonce: nonce },
      proofCommitment: commitment,
    }));
    const blob = new Blob([JSON.stringify(lines, null, 2)], { type: 'application/json' });
    saveBlob(blob, `proofmark-nonces-${new Date().toISOString().slice(0, 10)}.json`);
    keptNonces = kept.length;
  }

  acceptDrops(byId('drop'), give, async (entries) => {
    const { files, isWhole, isTooLarge } = await filesIn(entries, mostFiles + 1);
    // Reading ended early, so a part of the files is not known.
    if (!isTooLarge) give(files, isWhole);
    else {
      const most = maxEntries.toLocaleString('en');
      note(`The folder has more than ${most} files and folders. Nothing was added.`);
    }
  });
  for (const id of ['files', 'folder']) {
    const input = /** @type {HTMLInputElement} */ (byId(id));
    input.addEventListener('change', () => {
      give(
        id === 'folder' ? chosenFiles([...(input.files ?? [])]).files : [...(input.files ?? [])],
      );
      input.value = '';
    });
  }
  again.addEventListener('click', goOn);
  byId('keep-nonces').addEventListener('click', saveNonces);
  byId('keep-certificates').addEventListener('click', saveAllCertificates);
  document.addEventListener('proof', (event) => {
    if (event instanceof CustomEvent) queue.setState(event.detail.proofId, event.detail.status);
  });
  document.addEventListener('stale', () => queue.askAgain());
  addEventListener('beforeunload', (event) => {
    const isUnderWay = queue.items.some(
      ({ proofId, status }) => proofId === null && status !== 'failed',
    );
    const nonces = queue.items.filter(({ nonce }) => nonce !== null).length;
    if (isUnderWay || nonces > keptNonces) event.preventDefault();
  });
}

/** @param {unknown} error */
function whyNotSaved(error) {
  const why = error instanceof Error ? error.message : 'an unexpected error';
  const isBusy = error instanceof CallFailed && error.seconds !== null;
  const next = isBusy
    ? ` Try again in ${inWords(error.seconds ?? 0)}. Certificates that were downloaded are not asked for again.`
    : '';
  return `The certificate cannot be downloaded: ${why}.${next}`;
}

/** A pause in words. @param {number} seconds */
function inWords(seconds) {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
