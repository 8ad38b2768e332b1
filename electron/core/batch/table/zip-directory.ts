/** A file in a zip archive, by the archive's own directory. */
export interface ZipEntry {
  name: string;
  /** As the directory says; the unpacker gives a file no more room than that. */
  unpacked: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
/** The end of the directory is the last 22 bytes, unless followed by a comment of up to 64 kB. */
const mostComment = 65_535;

/** Reads the directory at the end of a zip archive; null: there is none, or one for archives over 4 GB. Nothing is unpacked. */
export function readZipDirectory(bytes: Buffer): ZipEntry[] | null {
  const first = Math.max(0, bytes.length - 22 - mostComment);
  let end = bytes.length - 22;
  while (end >= first && bytes.readUInt32LE(end) !== endSignature) end -= 1;
  if (end < first) return null;
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) return null;
    const name = bytes.readUInt16LE(at + 28);
    if (at + 46 + name > bytes.length) return null;
    entries.push({ unpacked: bytes.readUInt32LE(at + 24), name: bytes.toString('utf8', at + 46, at + 46 + name) });
    at += 46 + name + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
