/** The bytes that precede the fuses in Electron's executable. */
export const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A file with Electron's fuses as they are when it is downloaded, one set for each architecture. */
export const shippedElectron = (sets = 1): Buffer =>
  Buffer.concat(
    Array.from({ length: sets }, () => [
      Buffer.alloc(200, 'x'),
      Buffer.from(fuseSentinel),
      Buffer.from([1, 8]),
      Buffer.from('10110001'),
    ]).flat(),
  );
