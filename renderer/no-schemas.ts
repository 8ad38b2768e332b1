/**
 * Stands in the place of zod in the built window (build/vite.renderer.ts), as the preload holds no schema either: main checks what crosses,
 * both ways, so the window would load and make hundreds of schemas that nobody asks. What is made with it is nothing; to check with it fails.
 */
const nothing: unknown = new Proxy(() => undefined, {
  get(_target, name) {
    if (name === 'parse' || name === 'safeParse')
      throw new Error('The window holds no schemas: main checks what crosses.');
    return nothing;
  },
  apply: () => nothing,
});

export const z = nothing;
