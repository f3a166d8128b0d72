/** HTML whose texts are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | readonly (Html | null)[];

/** Template tag for HTML. Escapes texts, inserts HTML and lists of it, and leaves out null. */
export function html(written: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    written.map((text, index) => (index === 0 ? text : insert(parts[index - 1]) + text)).join(''),
  );
}

function insert(part: Part | undefined): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part !== 'object') return escapeText(String(part));
  return part.map((each) => each?.text ?? '').join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
