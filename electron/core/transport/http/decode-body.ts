import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { countOf } from '../../../../shared/domain/text/figures.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

/** What this program asks for; any other coding that arrives is refused. */
export const acceptedEncodings = 'gzip, deflate, br';

/** Answers through more layers than this are refused: nobody sends them in good faith. */
const deepest = 3;

export interface BodyDecoder {
  /** False: wait for `onDrain` before the next chunk. */
  write(chunk: Uint8Array): boolean;
  /** The message has ended: `onDone` follows when the last coding is undone. */
  end(): void;
  /** Nothing is reported after this. */
  destroy(): void;
}

interface DecoderHandlers {
  onDrain(): void;
  /** The whole body, once; errors 'answer-too-large', 'unreadable-answer'. */
  onDone(body: Result<Uint8Array, AppError>): void;
}

function createLayer(coding: string, firstByte: number): Transform | null {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip({ chunkSize });
  if (coding === 'br') return createBrotliDecompress({ chunkSize });
  // "deflate" is zlib by the standard and raw deflate in some servers: the first byte tells.
  if (coding === 'deflate')
    return (firstByte & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize });
  return null;
}

/** With a charset, or a coding of mail, that a server names here by mistake, the body is as it is: such an answer may have been paid for. */
const compressesNothing = /^(?:|identity|none|binary|[78]bit|utf-?8|iso-8859-1|windows-1252)$/;

/** Size of a decoder's output. Node's own is 16 kB, each piece a turn of the main thread. */
const chunkSize = 64 * 1024;

/** Bytes by which a long body grows. */
const longStep = 4 * 1024 * 1024;

/**
 * Collects a body while undoing its content codings piece by piece, so that a decompression bomb is stopped at `maxBytes` and not at the
 * end of memory. The cap applies to what arrives, to what it becomes, and to what lies between two codings: empty blocks of a second coding
 * come to nothing at the end, and unfold a thousandfold in between.
 */
export function createBodyDecoder(contentEncoding: string, maxBytes: number, handlers: DecoderHandlers): BodyDecoder {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !compressesNothing.test(coding));
  // Grown as it comes: joining megabytes at the end would block main. A long one grows in place, since copying it would too.
  let body = Buffer.alloc(0);
  let roomy: ArrayBuffer | undefined;
  let arrived = 0;
  let size = 0;
  let layers: Transform[] | null = codings.length === 0 ? [] : null;
  let finished = false;

  const finish = (result: Result<Uint8Array, AppError>): void => {
    if (finished) return;
    finished = true;
    for (const layer of layers ?? []) layer.destroy();
    handlers.onDone(result);
  };
  const tooLarge = (): void => {
    const detail = `More than ${countOf(maxBytes, 'byte')}.`;
    finish(fail(appError('answer-too-large', { detail })));
  };
  const unreadable = (detail: string): void => finish(fail(appError('unreadable-answer', { detail })));
  const take = (piece: Uint8Array): void => {
    const from = size;
    size += piece.byteLength;
    if (size > maxBytes) tooLarge();
    if (finished) return;
    if (size > body.byteLength) {
      try {
        grow(from);
      } catch {
        finish(fail(appError('answer-too-large', { detail: 'There is no room for it in memory.' })));
        return;
      }
    }
    body.set(piece, from);
  };
  /** Makes room for `size` bytes; `from`: those that are there. */
  const grow = (from: number): void => {
    if (roomy !== undefined) {
      roomy.resize(Math.min(maxBytes, size + longStep));
      return;
    }
    if (size > longStep) roomy = new ArrayBuffer(Math.min(maxBytes, size + longStep), { maxByteLength: maxBytes });
    const longer = roomy ? Buffer.from(roomy) : Buffer.allocUnsafeSlow(Math.max(size, Math.min(maxBytes, 2 * from)));
    longer.set(body.subarray(0, from));
    body = longer;
  };
  // A decoder may see the end of its data before the message ends: both count, or the connection would be reused too soon.
  let messageEnded = false;
  let layersEnded = false;
  const complete = (): void => {
    if (!messageEnded || !layersEnded) return;
    roomy?.resize(size);
    finish(ok(roomy ? Buffer.from(roomy, 0, size) : body.subarray(0, size)));
  };
  const endLayers = (): void => {
    layersEnded = true;
    complete();
  };

  const openLayers = (firstByte: number): Transform[] | null => {
    if (codings.length > deepest) return null;
    const opened = codings.toReversed().map((coding, index) => createLayer(coding, index === 0 ? firstByte : 0x78));
    if (opened.some((layer) => layer === null)) return null;
    const chain = opened.filter((layer) => layer !== null);
    chain.forEach((layer, index) => {
      layer.on('error', (error) => unreadable(`Its compression (${contentEncoding}) is damaged: ${error.message}`));
      const next = chain[index + 1];
      if (next === undefined) layer.on('data', take).on('end', endLayers);
      else {
        let made = 0;
        layer.on('data', (piece: Uint8Array) => {
          made += piece.byteLength;
          if (made > maxBytes) tooLarge();
        });
        layer.pipe(next);
      }
    });
    chain[0]?.on('drain', handlers.onDrain);
    return chain;
  };

  return {
    write(chunk) {
      if (finished || chunk.byteLength === 0) return true;
      arrived += chunk.byteLength;
      if (arrived > maxBytes) {
        tooLarge();
        return true;
      }
      layers ??= openLayers(chunk[0] ?? 0);
      if (layers === null) {
        unreadable(`Its compression (${contentEncoding}) is not one that was asked for.`);
        return true;
      }
      const first = layers[0];
      if (first === undefined) {
        take(chunk);
        return true;
      }
      return first.write(chunk);
    },
    end() {
      // An empty body is empty under every coding.
      messageEnded = true;
      if (arrived === 0 || layers === null || layers.length === 0) endLayers();
      else {
        layers[0]?.end();
        complete();
      }
    },
    destroy() {
      finished = true;
      for (const layer of layers ?? []) layer.destroy();
    },
  };
}
