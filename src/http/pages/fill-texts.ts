/** Texts of one language, by section and name. `{name}` in a text is a placeholder for a value. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Sections that the scripts of one page alone need, with the name of that page. */
const ofOnePage: Readonly<Record<string, string>> = {
  log: 'log',
  reference: 'reference',
  issuer: 'shared',
};
/** Sections that no script needs. */
const ofNoScript: readonly string[] = ['home', 'problem', 'shared'];

/**
 * Fills the placeholders of a page: `{{section.name}}` with a text, `"{{texts}}"` with the texts of
 * its scripts as JSON. Throws if the page names a missing text.
 */
export function fillTexts(page: string, html: string, texts: Texts, language: string): string {
  const own = Object.entries(texts).filter(
    ([name]) => !ofNoScript.includes(name) && (ofOnePage[name] ?? page) === page,
  );
  const all = JSON.stringify(Object.fromEntries(own)).replaceAll('<', '\\u003c');
  return html
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('"{{texts}}"', () => all)
    .replace(/\{\{(\w+)\.(\w+)\}\}/g, (_, section: string, name: string) => {
      const text = texts[section]?.[name];
      if (text !== undefined) return escapeHtml(text);
      throw new Error(`a page uses the text ${section}.${name}, which does not exist`);
    });
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
