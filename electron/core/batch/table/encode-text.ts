import type { TableEncoding } from '../../../../shared/domain/text/table.ts';

/** The byte of each Windows-1252 character, from the runtime's own table reversed. */
const windows1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (sign, byte) => [sign, byte] as const,
  ),
);

/** A text in an encoding, without a byte order mark; null: it has a character that the encoding lacks. */
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
