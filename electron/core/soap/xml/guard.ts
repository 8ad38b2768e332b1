/** Why a text is refused before the parser sees it. */
export interface XmlProblem {
  kind: 'unsafe' | 'malformed';
  detail: string;
}

/**
 * Nested elements, characters of the whole text, attributes of one element. Answers of the family are at most a dozen levels deep; a data
 * set's schema adds a few. Elements have a handful of attributes.
 */
export const answerLimits = { depth: 64, length: 128 * 1024 * 1024, attributes: 1000 };

const unsafe = (detail: string): XmlProblem => ({ kind: 'unsafe', detail });
const malformed = (detail: string): XmlProblem => ({ kind: 'malformed', detail });

/** One attribute of a start tag; its value may contain `>` but never `<`. Repeating it within the pattern would overflow the stack. */
const attribute = /\s*[^\s"'<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*')/y;
const tagEnd = /\s*(\/?)>/y;
const nameAhead = /[\p{L}_:][^\s"'<>/=&;#@]*/uy;

/**
 * Checks a text once for what fast-xml-parser accepts leniently: a DOCTYPE (refused for safety, wherever it is), too many levels, and a
 * text that is not well formed (cut off, crossed tags, two roots). Undefined: no problem.
 */
export function findXmlProblem(text: string): XmlProblem | undefined {
  if (text.length > answerLimits.length) return unsafe('The text is longer than the limit.');
  const open: string[] = [];
  let roots = 0;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    const start = text.indexOf('<', at);
    if (open.length === 0 && text.slice(at, start === -1 ? undefined : start).trim() !== '') {
      return malformed('There is text outside the document.');
    }
    if (start === -1) break;
    const next = text.charCodeAt(start + 1);
    if (next === 0x2f) {
      const end = text.indexOf('>', start);
      const name = open.pop();
      if (end === -1 || name === undefined || !closes(text, start + 2, end, name)) {
        return malformed(`The document is cut off or its tags cross near character ${start}.`);
      }
      at = end + 1;
    } else if (next === 0x21 || next === 0x3f) {
      const end = skipSpecial(text, start, open.length > 0);
      if (typeof end !== 'number') return end;
      at = end;
    } else {
      if (open.length === 0 && roots++ > 0) return malformed('There is more than one root element.');
      nameAhead.lastIndex = start + 1;
      const name = nameAhead.exec(text)?.[0];
      if (name === undefined) return malformed(`There is a stray < at character ${start}.`);
      at = start + 1 + name.length;
      let selfClosing = false;
      if (text.charCodeAt(at) === 0x3e) at += 1;
      else {
        for (let count = 0; ; count += 1) {
          attribute.lastIndex = at;
          if (!attribute.test(text)) break;
          if (count === answerLimits.attributes)
            return unsafe(`An element has more than ${answerLimits.attributes} attributes.`);
          at = attribute.lastIndex;
        }
        tagEnd.lastIndex = at;
        const end = tagEnd.exec(text);
        if (end === null) return malformed(`The tag at character ${start} is cut off or badly formed.`);
        selfClosing = end[1] === '/';
        at = tagEnd.lastIndex;
      }
      if (!selfClosing) {
        open.push(name);
        if (open.length > answerLimits.depth)
          return unsafe(`The elements are nested deeper than ${answerLimits.depth} levels.`);
      }
    }
  }
  if (open.length > 0) return malformed('The document is cut off.');
  return roots === 1 ? undefined : malformed('There is no document.');
}

function closes(text: string, from: number, end: number, name: string): boolean {
  return text.startsWith(name, from) && text.slice(from + name.length, end).trim() === '';
}

/** Skips a comment, a CDATA section or a processing instruction; anything else beginning with `<!` is a declaration. */
function skipSpecial(text: string, start: number, insideRoot: boolean): number | XmlProblem {
  const [closer, from] = text.startsWith('<!--', start)
    ? ['-->', start + 4]
    : text.startsWith('<![CDATA[', start) && insideRoot
      ? [']]>', start + 9]
      : text.startsWith('<?', start)
        ? ['?>', start + 2]
        : ['', start];
  if (closer === '') return unsafe('The document has a DOCTYPE or another declaration.');
  const end = text.indexOf(closer, from as number);
  return end === -1 ? malformed('The document is cut off.') : end + closer.length;
}
