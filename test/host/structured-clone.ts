/**
 * Turns a value into text and back by the rules of the structured clone algorithm, for a process and a page that share no memory. Everything is
 * in this one function because its source is also put into the page.
 *
 * `encode` preserves undefined, NaN, -0, bigints, dates, maps, sets, regular expressions, bytes and circles. It drops prototypes, and of an
 * error all but name and message. Any other value is passed to `beyond`, which returns its own form or throws. `decode` reverses it.
 */
export function createCodec(
  beyond: { write?: (value: object, depth: number) => unknown[] | undefined; read?: (form: unknown[]) => unknown } = {},
): { encode(value: unknown): string; decode(text: string): unknown } {
  const views = [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ];
  const refuse = (): never => {
    throw new Error('An object could not be cloned.');
  };
  const tagOf = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1);

  const encode = (value: unknown): string => {
    const seen = new Map<object, number>();
    const write = (one: unknown, depth: number): unknown => {
      if (one === null || typeof one === 'string' || typeof one === 'boolean') return one;
      if (one === undefined) return ['u'];
      if (typeof one === 'number')
        return Number.isFinite(one) && !Object.is(one, -0) ? one : ['n', Object.is(one, -0) ? '-0' : String(one)];
      if (typeof one === 'bigint') return ['i', String(one)];
      if (typeof one === 'symbol') return refuse();
      const known = seen.get(one as object);
      if (known !== undefined) return ['r', known];
      seen.set(one as object, seen.size);
      const own = beyond.write?.(one as object, depth);
      if (own) return own;
      if (typeof one === 'function') return refuse();
      if (Array.isArray(one)) return ['a', one.map((item) => write(item, depth + 1))];
      if (one instanceof Error) return ['e', one.name, one.message];
      if (ArrayBuffer.isView(one) || one instanceof ArrayBuffer) {
        const index = views.findIndex((view) => one instanceof view);
        const bytes = ArrayBuffer.isView(one)
          ? new Uint8Array(one.buffer, one.byteOffset, one.byteLength)
          : new Uint8Array(one);
        return ['b', index, Array.from(bytes)];
      }
      switch (tagOf(one)) {
        case 'Date':
          return ['d', (one as Date).getTime()];
        case 'RegExp':
          return ['x', (one as RegExp).source, (one as RegExp).flags];
        case 'Map':
          return [
            'm',
            [...(one as Map<unknown, unknown>)].map(([key, item]) => [write(key, depth + 1), write(item, depth + 1)]),
          ];
        case 'Set':
          return ['s', [...(one as Set<unknown>)].map((item) => write(item, depth + 1))];
        case 'Promise':
        case 'WeakMap':
        case 'WeakSet':
        case 'WeakRef':
          return refuse();
        default:
          return ['o', Object.keys(one).map((key) => [key, write((one as Record<string, unknown>)[key], depth + 1)])];
      }
    };
    return JSON.stringify(write(value, 0));
  };

  const decode = (text: string): unknown => {
    const met: unknown[] = [];
    const keep = <T>(value: T): T => {
      met.push(value);
      return value;
    };
    const read = (form: unknown): unknown => {
      if (!Array.isArray(form)) return form;
      const [tag, first, second] = form as [string, never, never];
      switch (tag) {
        case 'u':
          return undefined;
        case 'n':
          return Number(first);
        case 'i':
          return BigInt(first);
        case 'r':
          return met[first];
        case 'd':
          return keep(new Date(first));
        case 'x':
          return keep(new RegExp(first, second));
        case 'e': {
          const kind =
            { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }[first as string] ?? Error;
          return keep(new kind(second));
        }
        case 'b': {
          const bytes = new Uint8Array(second).buffer;
          const view = views[first];
          return keep(view === undefined ? bytes : new view(bytes));
        }
        case 'a': {
          const list: unknown[] = keep([]);
          for (const item of first as unknown[]) list.push(read(item));
          return list;
        }
        case 'm': {
          const map = keep(new Map());
          for (const [key, item] of first as [unknown, unknown][]) map.set(read(key), read(item));
          return map;
        }
        case 's': {
          const set = keep(new Set());
          for (const item of first as unknown[]) set.add(read(item));
          return set;
        }
        case 'o': {
          const object = keep({});
          // defineProperty, because an assignment to a key named __proto__ would set the prototype.
          for (const [key, item] of first as [string, unknown][])
            Object.defineProperty(object, key, {
              value: read(item),
              enumerable: true,
              configurable: true,
              writable: true,
            });
          return object;
        }
        default:
          return keep(beyond.read?.(form));
      }
    };
    return read(JSON.parse(text));
  };
  return { encode, decode };
}
