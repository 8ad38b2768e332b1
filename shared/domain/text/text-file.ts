/** Declared here because Node and the window both have it, and this layer uses the types of neither. */
declare class TextDecoder {
  constructor(label: string, options?: { fatal?: boolean });
  decode(bytes: Uint8Array): string;
}

/** Characters of the longest table accepted as text. */
export const mostTableText = 2_000_000;

/** A file's bytes as text: UTF-8, or UTF-16 by its mark; anything else is Windows-1252, as older spreadsheets write. Without its mark. */
export function decodeTextFile(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
