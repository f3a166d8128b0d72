import { Marked } from 'marked';
import { escapeText, Html } from './html.ts';

const marked = new Marked({
  // Descriptions contain no HTML, so tags in them are text.
  renderer: { html: ({ text }) => escapeText(text) },
});

/** Renders Markdown with paragraphs and lists. HTML in it is shown as text. */
export function markdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }));
}

/**
 * Renders Markdown of one line, without a paragraph around it. Remembers each text, since a page
 * repeats most of them: pass texts of the description only.
 */
export function inlineMarkdown(text: string): Html {
  let known = rendered.get(text);
  if (known === undefined) {
    known = new Html(isPlain.test(text) ? text : marked.parseInline(text, { async: false }));
    rendered.set(text, known);
  }
  return known;
}

/** Texts of the description: a few hundred, and the same for the life of the process. */
const rendered = new Map<string, Html>();

/** Texts without characters that Markdown or HTML could read. */
const isPlain = /^[a-zA-Z0-9 ,.;:()'’–/-]*$/;

/** Part of a document with its heading; the introduction has none. */
export interface Part {
  readonly heading: string | null;
  readonly content: Html;
}

/** Splits a document at its headings of the second level. */
export function partsOf(text: string): readonly Part[] {
  return text.split(/^(?=## )/m).map((part) => {
    const [, heading = null, rest = part] = /^## (.+)\n([\s\S]*)$/.exec(part) ?? [];
    return { heading, content: markdown(rest) };
  });
}
