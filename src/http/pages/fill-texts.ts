/** Texts of one language, by section and name. `{name}` in a text is a placeholder for a value. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Fills the placeholders of a page: `{{section.name}}` with a text, `"{{texts}}"` with all texts as
 * JSON for scripts. Throws if a page names a missing text.
 */
export function fillTexts(html: string, texts: Texts, language: string): string {
  const all = JSON.stringify(texts).replaceAll('<', '\\u003c');
  return html
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('"{{texts}}"', () => all)
    .replace(/\{\{(\w+)\.(\w+)\}\}/g, (_, section: string, name: string) => {
      const text = texts[section]?.[name];
      if (text !== undefined) return escapeHtml(text);
      throw new Error(`a page uses the text ${section}.${name}, which does not exist`);
    });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
