/** Names and descriptions of files; the same seed and index give the same text. */
export type Wording = (index: number) => {
  readonly fileName: string;
  readonly description: string;
};

const kinds = ['Invoice', 'Contract', 'Scan', 'Report', 'Offer', 'Rechnung', 'Vertrag', 'Angebot'];
const endings = ['pdf', 'pdf', 'pdf', 'docx', 'xlsx', 'jpg'];
const syllables = [
  ...['an', 'ber', 'co', 'dal', 'er', 'fin', 'ga', 'hol', 'in', 'jo', 'kar', 'lu', 'ma', 'ner'],
  ...['ol', 'per', 'qui', 'ro', 'sen', 'ta', 'ul', 'vor', 'wei', 'xa', 'yl', 'zu', 'ß', 'ö', 'é'],
];
const words = 20_000;

/** Creates texts with common and rare words, as in any language. */
export function createWording(seed: number): Wording {
  const draw = (index: number, n: number) => scatter(seed * 0x9e3779b1 + index * 31 + n);
  const vocabulary = Array.from({ length: words }, (_, n) => wordOf(n));
  const word = (random: number) => vocabulary[Math.floor(words ** random) - 1] ?? '';
  return (index) => {
    const pick = <Item>(items: readonly Item[], n: number) =>
      items[Math.floor(draw(index, n) * items.length)] as Item;
    const year = 2015 + Math.floor(draw(index, 1) * 12);
    const number = String(Math.floor(draw(index, 2) * 1_000_000)).padStart(6, '0');
    const length = 3 + Math.floor(draw(index, 3) * 6);
    const text = Array.from({ length }, (_, n) => word(draw(index, 10 + n)));
    return {
      fileName: `${pick(kinds, 4)}_${year}-${number}_${word(draw(index, 5))}.${pick(endings, 6)}`,
      description: `${text.join(' ')}, ${pick(kinds, 7)} ${year}`,
    };
  };
}

function wordOf(n: number): string {
  const count = 2 + Math.floor(scatter(n) * 3);
  const parts = Array.from(
    { length: count },
    (_, part) => syllables[Math.floor(scatter(n * 7 + part + 1) * syllables.length)],
  );
  const word = parts.join('');
  return n % 3 === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** Number in [0, 1) for any integer (splitmix32). */
function scatter(value: number): number {
  let mixed = (value + 0x9e3779b9) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
