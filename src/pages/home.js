import './verify.js';
import { byId } from './element.js';
import { fetchFile, giveFiles } from './give-files.js';
import { writeReadersTimes } from './readers-times.js';

writeReadersTimes();

const tryIt = /** @type {HTMLButtonElement} */ (byId('try-sample'));
const result = byId('result');
const missing = byId('sample-missing');

tryIt.addEventListener('click', async () => {
  tryIt.disabled = true;
  try {
    const links = ['sample-file', 'sample-certificate'].map((id) => {
      return /** @type {HTMLAnchorElement} */ (byId(id));
    });
    giveFiles(await Promise.all(links.map(({ href, download }) => fetchFile(href, download))));
    missing.hidden = true;
  } catch {
    missing.hidden = false;
    tryIt.disabled = false;
  }
});

// The sample is not mixed with files of the reader.
new MutationObserver(() => {
  tryIt.disabled = !result.hidden;
}).observe(result, { attributeFilter: ['hidden'] });
tryIt.disabled = !result.hidden;
