import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

/** How much of the beginning is searched for an XML declaration or an HTML page. */
const headLength = 1024;

function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** UTF-16 without a mark is recognised by the zero byte of the first character, which may be white space or the first of a sentence. */
function bareUtf16([first, second, third]: Uint8Array): string | undefined {
  if (first && second === 0 && third) return 'utf-16le';
  return first === 0 && second ? 'utf-16be' : undefined;
}

function headerCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType)?.slice(1).find(Boolean);
}

function declaredCharset(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, headLength)).toString('latin1');
  const label = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1];
  // .NET writes "utf-16" into declarations of strings that it then sends as UTF-8; it could be read here, so it is not UTF-16.
  return label && /^(utf-?16|ucs-?2|unicode)/i.test(label) ? undefined : label;
}

function isKnownCharset(label: string | undefined): label is string {
  try {
    return label !== undefined && new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

function decodeAs(label: string, body: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/**
 * The text of an XML answer. Charset by precedence: byte order mark, Content-Type, XML declaration, UTF-8 (RFC 7303, 3). An unknown charset
 * name is ignored: the answer is paid for, and UTF-8 is recognisable. `unreadable-answer` if the bytes are not of that charset.
 */
export function decodeXmlText(body: Uint8Array, contentType: string): Result<string> {
  const certain = byteOrderMark(body) ?? bareUtf16(body);
  const labels = certain ? [certain] : [headerCharset(contentType), declaredCharset(body)].filter(isKnownCharset);
  if (labels.length === 0) labels.push('utf-8');
  for (const label of labels) {
    const text = decodeAs(label, body);
    if (text !== undefined) return ok(text);
  }
  return fail(
    appError('unreadable-answer', { detail: `The answer is not text of the charset ${labels.join(' or ')}.` }),
  );
}

/** Whether the text is a web page: a captive portal, a proxy or a server's error page instead of an answer. */
export function isHtmlPage(text: string): boolean {
  const head = text
    .slice(0, 8 * headLength)
    .replace(/^\uFEFF|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
    .trimStart();
  return /^<(!doctype\s+html|html|head|body|script|meta|title)\b/i.test(head);
}
