/** What Electron's fuses stand behind in its program. */
export const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A file with Electron's fuses as it is shipped, one set for each architecture. */
export const shippedElectron = (sets = 1): Buffer =>
  Buffer.concat(
    Array.from({ length: sets }, () => [
      Buffer.alloc(200, 'x'),
      Buffer.from(fuseSentinel),
      Buffer.from([1, 8]),
      Buffer.from('10110001'),
    ]).flat(),
  );
