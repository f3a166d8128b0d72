import { pathOf } from './path-of.js';
import { isTimed, rankOf, tableHeads } from './show-table.js';
import { fileSize, shownName, text, utcTime } from './texts.js';

/** @import { Report, Verdict } from './report-content.ts' */

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
${summary ? summaryPart(summary) : ''}
${verdicts.length > 1 ? tablePart(verdicts) : ''}
${verdicts.map((verdict) => section(verdict, verdicts.length > 1)).join('\n')}
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

/** @param {NonNullable<Report['summary']>} summary */
function summaryPart({ kind, label, title, lines, limits }) {
  return `<section class="${safe(kind)} summary"><p class="kind">${safe(label)}</p><h2>${safe(title)}</h2>
<ul>${lines.map((line) => `<li>${safe(line)}</li>`).join('')}</ul>
${limits.map((words) => `<p>${safe(words)}</p>`).join('\n')}</section>`;
}

/** A table of all verdicts, problems first. @param {readonly Verdict[]} verdicts */
function tablePart(verdicts) {
  const heads = tableHeads.map((name) => `<th scope="col">${safe(text(name))}</th>`);
  const rows = verdicts.toSorted((a, b) => rankOf(a) - rankOf(b)).map(tableRow);
  return `<section><table><thead><tr>${heads.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></section>`;
}

/** @param {Verdict} verdict */
function tableRow({ kind, label, time, files, certificate, transactionHash }) {
  const names = files.map((each) => `<bdi>${safe(shownPath(each))}</bdi>`).join(', ');
  const proof = certificate ? shownPath(certificate) : (transactionHash ?? '');
  const shownTime = time !== null && isTimed({ kind }) ? utcTime(time) : '';
  return `<tr><th scope="row">${names || safe(text('verify.tableNone'))}</th><td class="${safe(kind)}">${safe(label)}</td><td>${safe(shownTime)}</td><td><bdi>${safe(proof)}</bdi></td></tr>`;
}

/** @param {{name: string, folder: string}} given */
function shownPath({ name, folder }) {
  return shownName(pathOf({ file: { name }, folder }));
}

/**
 * @param {Verdict} verdict
 * @param {boolean} isNamed True if the verdict names its files, since there are several verdicts.
 */
function section({ kind, label, title, explanation, files, certificate, ...rest }, isNamed) {
  const about = isNamed
    ? files.length > 0
      ? files
      : [certificate].filter((each) => each !== null)
    : [];
  const { transactionHash, steps, earlierRevisions } = rest;
  const given = [
    ...files.map((each) => [text('given.file'), each]),
    ...(certificate ? [[text('given.certificate'), certificate]] : []),
  ].map(([role, each]) => {
    const { sizeBytes, sha256, notes, ...named } = /** @type {(typeof files)[number]} */ (each);
    const path = shownPath(named);
    const hash = sha256 === null ? '' : `<br><code>${safe(sha256)}</code>`;
    const said = notes.map((note) => `<br>${safe(note)}`).join('');
    return `<div><dt>${safe(String(role))}</dt><dd><bdi>${safe(path)}</bdi>, ${safe(fileSize(sizeBytes))}${hash}${said}</dd></div>`;
  });
  const hash = transactionHash === null ? [] : [fact(text('value.transaction'), transactionHash)];
  return `<section><div class="verdict ${safe(kind)}"><p class="kind">${safe(label)}</p>${about.map((each) => `<p class="about"><bdi>${safe(shownPath(each))}</bdi></p>`).join('')}<h2>${safe(title)}</h2></div>
${explanation.map((words) => `<p>${safe(words)}</p>`).join('\n')}
<dl>${[...given, ...hash].join('')}</dl>
<ol>${steps.map(step).join('\n')}</ol>${revisionsPart(earlierRevisions)}</section>`;
}

/** @param {Verdict['earlierRevisions']} revisions */
function revisionsPart(revisions) {
  if (revisions.length === 0) return '';
  const rows = revisions.map(({ transactionHash, outcome }) => fact(outcome, transactionHash));
  return `<h3>${safe(text('chain.heading'))}</h3><p>${safe(text('chain.text'))}</p><dl>${rows.join('')}</dl>`;
}

/** @param {Verdict['steps'][number]} step */
function step({ title, status, outcome, values, claims, claimsLabel }) {
  const rows = values.map(({ label, value }) => fact(label, value));
  const stated = claims.map(({ label, value }) => fact(`${label} (${claimsLabel})`, value));
  return `<li><h3>${safe(title)} <span>${safe(text(`status.${status}`))}</span></h3>
<p>${safe(outcome)}</p><dl>${[...rows, ...stated].join('')}</dl></li>`;
}

/**
 * @param {string} name
 * @param {string} value
 */
function fact(name, value) {
  return `<div><dt>${safe(name)}</dt><dd><bdi>${safe(shownName(value))}</bdi></dd></div>`;
}

/** @param {string} words */
function safe(words) {
  return words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `
:root{color-scheme:light dark}@page{margin:1.5cm}
body{max-width:46rem;margin:0 auto;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.brand{font-weight:700}h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.2rem;margin:.2rem 0}h3{font-size:1rem;margin:0}
h3 span{font-weight:400}section{margin-top:2rem}p{margin:.3rem 0}dl{margin:.6rem 0}dd{margin:0 0 .3rem}
dt{font-size:.85rem;opacity:.8}code,ol dd{font-family:ui-monospace,monospace;font-size:.85rem}
ol{list-style:none;padding:0}ol li{padding:.6rem 0;border-top:1px solid}ol li>*,dl div{break-inside:avoid}h2,h3{break-after:avoid}ol dl{break-inside:auto}
ul{margin:.3rem 0;padding-left:1.2rem}.summary :is(ul,p:not(.kind)){color:CanvasText}
.verdict,.summary{border:2px solid;border-radius:8px;padding:.8rem 1rem;break-inside:avoid;break-after:avoid}
.kind{font-weight:650}.about{margin:.1rem 0;color:CanvasText;font-weight:600}
table{width:100%;border-collapse:collapse;font-size:.9rem}tr{border-top:1px solid;break-inside:avoid}
th,td{padding:.4rem .8rem .4rem 0;font-weight:400;text-align:start;vertical-align:top;min-width:7rem}
thead tr{border:0}thead th{opacity:.8}tbody th{font-weight:600}
.proven{color:#14694a}.disproven{color:#a3221b}.partial,.trial,.unknown{color:#80540a}
@media screen and (prefers-color-scheme:dark){
.proven{color:#7fd3ad}.disproven{color:#ff9d94}.partial,.trial,.unknown{color:#eec06c}}
@media(max-width:34rem){thead{display:none}tbody :is(th,td){display:block;padding:.1rem 0}tr{display:block;padding:.4rem 0}}
@media print{body{padding:0}}
`;
