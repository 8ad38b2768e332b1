interface PolicyRules {
  createHTML(text: string): string | null;
}

// Imported first of all (main.tsx): from here on the page requires trusted types (electron/shell/scheme.ts).

/**
 * The page's one policy of trusted types: text that can make no element passes, which is what Mantine's styles are; anything else that
 * would be read as HTML, a script or a script's address is refused by the browser engine.
 */
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: 'default', rules: PolicyRules): unknown };
};
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) });
