/**
 * Puts a page into the frame that all pages share. `parts` is the page's file: lines for its head,
 * then its content from the first `<main` or `<div` on. The frame's `{{page.…}}` become texts of the page's section, and
 * its link to this page is marked as the current one.
 */
export function inFrame(page: string, frame: string, parts: string): string {
  const start = parts.search(/^ *<(main|div)\b/m);
  if (start === -1) throw new Error(`the page ${page} has no content`);
  const head = parts.slice(0, start).trim();
  const content = parts.slice(start).trim();
  const ownPath = page === 'home' ? '' : page;
  const ownLink = `href="./${ownPath}"`;
  return frame
    .replaceAll('{{page.', `{{${page}.`)
    .replace(ownLink, `${ownLink} aria-current="page"`)
    .replace(/^ *\{ownAddress\}\n/m, () => addressLine(page, ownPath))
    .replace(/^ *\{head\}\n/m, () => (head === '' ? '' : `    ${head}\n`))
    .replace('{content}', () => content);
}

/**
 * The address that previews of a page lead to. The page of an error has none: it may be shown at any
 * address.
 */
function addressLine(page: string, ownPath: string): string {
  if (page === 'problem') return '';
  const path = page === 'shared' ? 'shared/{token}' : ownPath;
  return `    <meta property="og:url" content="{publicUrl}/${path}">\n`;
}

/**
 * Removes that address from a page that is shown at many addresses. Previews then lead to the one that
 * was shared.
 */
export function withoutAddress(html: string): string {
  return html.replace(/^ *<meta property="og:url" content="[^"]*">\n/m, '');
}

/**
 * Elements of `verify.html` that verify files, below its lead: the form, and the results below it.
 * Other pages contain them too.
 */
export function verifierIn(verifyPage: string): {
  readonly form: string;
  readonly results: string;
} {
  const [, form, results] =
    /<p class="lead">.*<\/p>\n([\s\S]*?<\/form>)\n([\s\S]*)<\/main>/.exec(verifyPage) ?? [];
  if (form === undefined || results === undefined) {
    throw new Error('the page verify has no lead or no form');
  }
  return { form: form.trim(), results: results.trim() };
}
