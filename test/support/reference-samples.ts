/** Languages of the examples in the reference. */
export const sampleLanguages = ['curl', 'typescript', 'python'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** Examples in the HTML of the reference, by id of their call. */
export function samplesIn(page: string): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const articles = page.matchAll(/<article class="call" id="([\w-]+)"[\s\S]*?<\/article>/g);
  return new Map(
    [...articles].map(([article, id = '']) => {
      const found = article.matchAll(
        /<pre class="sample (\w+)"[^>]*><code>([\s\S]*?)<\/code><\/pre>/g,
      );
      return [
        id,
        Object.fromEntries([...found].map(([, name = '', text = '']) => [name, plain(text)])),
      ];
    }),
  );
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

function plain(html: string): string {
  return html.replace(/&\w+;/g, (entity) => characters[entity] ?? entity);
}
