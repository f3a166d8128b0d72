/** Labels beside or above the commands in a certificate's guide. */
const labels =
  /^(Linux, macOS|Linux|macOS|Windows PowerShell|A server, by curl|Ledger server \(curl\)|Proofmark verifier) ?/;

/** Extracts commands from the text of a certificate, as a reader would copy them. */
export function guideCommands(text: string) {
  const lines = text.split('\n').map((line) => line.replace(labels, '').trimEnd());
  return {
    /** Lines from the one that begins with `start`. */
    from(start: string, count = 1): string {
      const at = lines.findIndex((line) => line.startsWith(start));
      if (at < 0) throw new Error(`no line begins with ${start}`);
      return lines.slice(at, at + count).join('\n');
    },
  };
}
