const step = '  ';
/** Deeper lines are indented no further, or a text of nothing but “[” becomes the square of its length. */
const margin = (depth: number): string => step.repeat(Math.max(0, Math.min(depth, 100)));

/**
 * Indents JSON without reading its values: numbers, escapes and doubled names stay exactly as they came, which parsing and writing
 * again would lose. Text that is no JSON comes back with its brackets broken over lines, so callers test for it first.
 */
export function indentJson(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let out = '';
  let depth = 0;
  const line = () => `\n${margin(depth)}`;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const after = tokens[index + 1];
    if (token === '{' || token === '[') {
      depth += 1;
      out += after === '}' || after === ']' ? token : token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      out += before === '{' || before === '[' ? token : line() + token;
    } else if (token === ',') out += token + line();
    else if (token === ':') out += ': ';
    // A space stays between two words: joined, they could read as a value that was never masked.
    else out += before !== undefined && !/^[{}[\],:]$/.test(before) ? ` ${token}` : token;
  });
  return out;
}

/** Indents XML by its tags. An element that holds text alone stays on one line, and the text is not touched. */
export function indentXml(text: string): string {
  const tokens = text.match(/<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[^<>]*>?|[^<]+/g) ?? [];
  let out = '';
  let depth = 0;
  let inline = false;
  for (const token of tokens) {
    if (!token.startsWith('<') || token.startsWith('<![CDATA[')) {
      if (token.trim() === '') continue;
      out += token;
      inline = true;
    } else if (token.startsWith('</')) {
      depth = Math.max(0, depth - 1);
      out += inline ? token : `\n${margin(depth)}${token}`;
      inline = false;
    } else {
      out += `${out === '' ? '' : '\n'}${margin(depth)}${token}`;
      const opens = !token.startsWith('<?') && !token.startsWith('<!') && !token.endsWith('/>');
      if (opens) depth += 1;
      // `<a></a>` stays together.
      inline = opens;
    }
  }
  return out;
}

/** Characters; indenting more would hold the window up. The operations screen lays any text out, in a thread of its own. */
const longest = 500_000;

/** Indents what is JSON or XML by its first character; anything else is left as it came. */
export function prettyPrint(text: string): string {
  if (text.length > longest) return text;
  const start = text.trimStart()[0];
  if (start === '{' || start === '[') return indentJson(text);
  return start === '<' && !/^\s*<!doctype html|^\s*<html/i.test(text) ? indentXml(text) : text;
}
