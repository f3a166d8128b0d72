import { fileSize, shownName, text, utcTime } from './texts.js';

/** @import { Report } from './report.js' */

/**
 * The report as one HTML file without scripts that needs nothing else.
 * @param {Report} report
 */
export function showChecked(report) {
  const { checkedAt, page, ledgerServer, stated, summary, verdicts } = report;
  const facts = [
    ['verify.reportTime', `${utcTime(checkedAt)} (${checkedAt})`],
    ['verify.reportAddress', page],
    ...(ledgerServer === null ? [] : [['verify.server', ledgerServer]]),
  ].map(([name = '', value = '']) => fact(text(name), value));
  const title = `${text('common.name')}: ${text('verify.reportTitle')}`;
  return `<!doctype html>
<html lang="${safe(document.documentElement.lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${safe(title)}</title>
<style>${style}</style>
</head>
<body>
<header><p class="brand">${safe(text('common.name'))}</p>
<h1>${safe(text('verify.reportTitle'))}</h1>
<dl>${facts.join('')}</dl></header>
${statedPart(stated)}
${summary ? `<p class="${safe(summary.kind)} summary">${safe(summary.title)}</p>` : ''}
${verdicts.map(section).join('\n')}
<footer><p>${safe(text('verify.reportNote'))}</p></footer>
</body>
</html>
`;
}

/** @param {Report['stated']} stated */
function statedPart(stated) {
  if (stated.length === 0) return '';
  const rows = stated.map(({ label, value }) => fact(label, value));
  return `<section><h2>${safe(text('verify.reportStated'))}</h2><dl>${rows.join('')}</dl></section>`;
}

/** @param {Report['verdicts'][number]} verdict */
function section({ kind, label, title, files, certificate, transactionHash, steps }) {
  const given = [
    ...files.map((each) => [text('given.file'), each]),
    ...(certificate ? [[text('given.certificate'), certificate]] : []),
  ].map(([role, each]) => {
    const { name, folder, sizeBytes, sha256 } = /** @type {(typeof files)[number]} */ (each);
    const path = shownName(folder === '' ? name : `${folder}/${name}`);
    const hash = sha256 === null ? '' : `<br><code>${safe(sha256)}</code>`;
    return `<div><dt>${safe(String(role))}</dt><dd><bdi>${safe(path)}</bdi>, ${safe(fileSize(sizeBytes))}${hash}</dd></div>`;
  });
  const hash = transactionHash === null ? [] : [fact(text('value.transaction'), transactionHash)];
  return `<section><div class="verdict ${safe(kind)}"><p class="kind">${safe(label)}</p><h2>${safe(title)}</h2></div>
<dl>${[...given, ...hash].join('')}</dl>
<ol>${steps.map(step).join('\n')}</ol></section>`;
}

/** @param {Report['verdicts'][number]['steps'][number]} step */
function step({ title, status, outcome, values, claims }) {
  const rows = values.map(({ label, value }) => fact(label, value));
  const stated = Object.entries(claims ?? {}).flatMap(([name, value]) => {
    const isShown = ['string', 'number'].includes(typeof value) && value !== '';
    return isShown ? [fact(`${name} (${text('claim.claimed')})`, shownName(String(value)))] : [];
  });
  return `<li><h3>${safe(title)} <span>${safe(text(`status.${status}`))}</span></h3>
<p>${safe(outcome)}</p><dl>${[...rows, ...stated].join('')}</dl></li>`;
}

/**
 * @param {string} name
 * @param {string} value
 */
function fact(name, value) {
  return `<div><dt>${safe(name)}</dt><dd>${safe(value)}</dd></div>`;
}

/** @param {string} words */
function safe(words) {
  return words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
:root{color-scheme:light dark}
body{max-width:46rem;margin:0 auto;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.brand{font-weight:700}h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.2rem;margin:.2rem 0}h3{font-size:1rem;margin:0}
h3 span{font-weight:400}section{margin-top:2rem}p{margin:.3rem 0}dl{margin:.6rem 0}dd{margin:0 0 .3rem}
dt{font-size:.85rem;opacity:.8}code,ol dd{font-family:ui-monospace,monospace;font-size:.85rem}
ol{list-style:none;padding:0}li{padding:.6rem 0;border-top:1px solid;break-inside:avoid}
.verdict,.summary{border:2px solid;border-radius:8px;padding:.8rem 1rem}.kind{font-weight:650}
.proven{color:#14694a}.disproven{color:#a3221b}.partial,.trial,.unknown{color:#80540a}
@media(prefers-color-scheme:dark){.proven{color:#7fd3ad}.disproven{color:#ff9d94}.partial,.trial,.unknown{color:#eec06c}}
`;
