import { type Html, html } from './html.ts';
import type { Samples } from './samples/samples-of.ts';

const languages = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const;

/** Samples with a choice of the language, which also works without scripts. */
export function showSamples(id: string, samples: Samples): Html {
  const choices = languages.map(
    ([language, name], index) =>
      html`<label><input type="radio" name="language-${id}" value="${language}"${
        index === 0 ? html` checked` : null
      }><span>${name}</span></label>`,
  );
  const texts = languages.map(
    ([language, name]) =>
      html`<pre class="sample ${language}" tabindex="0" aria-label="Example in ${name}"><code>${samples[language]}</code></pre>`,
  );
  return html`<div class="samples"><fieldset><legend class="unseen">Language of the example</legend>${choices}</fieldset>${texts}</div>`;
}

/** A value as JSON. */
export function showJson(label: string, value: unknown): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>`;
}
