/** One square picture as a PNG file. */
export interface Picture {
  size: number;
  png: Buffer;
}

/** A Windows icon: a directory of pictures, each a whole PNG file (supported since Windows Vista). */
export function writeIco(pictures: readonly Picture[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index;
    // The format writes 256 as 0.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

/** Apple's four-letter types for a PNG of each size. The second one is for displays with doubled resolution. */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

/** A macOS icon of PNG entries. Sizes without a type above are left out. */
export function writeIcns(pictures: readonly Picture[]): Buffer {
  const entries = pictures.flatMap(({ size, png }) =>
    (icnsTypes[size] ?? []).map((type) => {
      const head = Buffer.alloc(8, type, 'latin1');
      head.writeUInt32BE(8 + png.length, 4);
      return Buffer.concat([head, png]);
    }),
  );
  const body = Buffer.concat(entries);
  const head = Buffer.alloc(8, 'icns', 'latin1');
  head.writeUInt32BE(8 + body.length, 4);
  return Buffer.concat([head, body]);
}
