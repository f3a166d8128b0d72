import { escapeHtml } from '../pages/fill-texts.ts';

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

/** Part of a template: a text is escaped, `null` and `false` are left out. */
type Part = string | number | Html | readonly Html[] | null | false;

/** Builds HTML. Every inserted text is escaped, also within attributes in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const filled = parts.map((part, index) => `${inHtml(part)}${strings[index + 1] ?? ''}`);
  return { html: `${strings[0] ?? ''}${filled.join('')}` };
}

function inHtml(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}

/** A time of the log, to the minute. */
export function timeInHtml(time: string): Html {
  return html`<time datetime="${time}">${time.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
