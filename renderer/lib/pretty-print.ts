const step = '  ';

/**
 * Indents JSON without reading its values: numbers, escapes and doubled names stay exactly as they came, which parsing and writing
 * again would lose. Text that is no JSON comes back with its brackets broken over lines, so callers test for it first.
 */
export function indentJson(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let out = '';
  let depth = 0;
  const line = () => `\n${step.repeat(Math.max(0, depth))}`;
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
    else out += token;
  });
  return out;
}

/** Indents XML by its tags. An element that holds text alone stays on one line, and the text is not touched. */
export function indentXml(text: string): string {
  const tokens = text.match(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[^>]*>|[^<]+/g) ?? [];
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
      out += inline ? token : `\n${step.repeat(depth)}${token}`;
      inline = false;
    } else {
      out += `${out === '' ? '' : '\n'}${step.repeat(depth)}${token}`;
      const opens = !token.startsWith('<?') && !token.startsWith('<!') && !token.endsWith('/>');
      if (opens) depth += 1;
      // `<a></a>` stays together.
      inline = opens;
    }
  }
  return out;
}

/** Indents what is JSON or XML by its first character; anything else is left as it came. */
export function prettyPrint(text: string): string {
  const start = text.trimStart()[0];
  if (start === '{' || start === '[') return indentJson(text);
  return start === '<' && !/^\s*<!doctype html|^\s*<html/i.test(text) ? indentXml(text) : text;
}
