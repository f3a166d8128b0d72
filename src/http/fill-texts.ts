/** The texts of one language: by section and name. `{name}` in a text stands for a value. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Puts texts in the places of a page that name them: `{{section.name}}`, and `"{{texts}}"` for all of
 * them as JSON, which scripts read. Throws where a page names a text that there is not.
 */
export function fillTexts(html: string, texts: Texts, language: string): string {
  const all = JSON.stringify(texts).replaceAll('<', '\\u003c');
  return html
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('"{{texts}}"', () => all)
    .replace(/\{\{(\w+)\.(\w+)\}\}/g, (_, section: string, name: string) => {
      const text = texts[section]?.[name];
      if (text !== undefined) return escapeHtml(text);
      throw new Error(`a page names the text ${section}.${name}, which there is not`);
    });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
