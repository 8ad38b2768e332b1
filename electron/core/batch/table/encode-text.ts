import type { TableEncoding } from '../../../../shared/domain/text/table.ts';

/** What each byte of Windows-1252 is, by the runtime's own table, the other way round. */
const windows1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (sign, byte) => [sign, byte] as const,
  ),
);

/** A text in an encoding, without a mark; null: it has a sign that the encoding does not. */
export function encodeText(text: string, encoding: TableEncoding): Buffer | null {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const byte = windows1252.get(text[at] ?? '');
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}
