import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';

// Axe over what a window shows. It takes ten times as long as drawing, so each part is checked once: an element unchanged since
// nothing was found in it, and one that repeats its neighbours, is hidden from axe.

declare global {
  interface Window {
    axe: typeof axe;
    /** What axe has looked at in this document and found nothing in, with all that it depends on. */
    lookedAt: Set<number> | undefined;
  }
}

/** WCAG 2.2 at AA with everything before it, and what is good practice beside it. */
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** Runs in the page: axe's findings, each in words. */
async function look(options: RunOptions): Promise<string[]> {
  const { documentElement: root, body } = document;
  window.lookedAt ??= new Set();
  const media = ['(prefers-contrast: more)', '(forced-colors: active)'].map((query) => matchMedia(query).matches);
  /** Of 53 bits (cyrb53): the texts themselves would be megabytes a look. */
  const hash = (text: string): number => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return 4294967296 * (2097151 & low) + (high >>> 0);
  };
  // A screen's own style sheet comes with it.
  const rules = [...document.styleSheets, ...document.adoptedStyleSheets].map(({ cssRules }) => cssRules.length);
  const opening = (element: Element) => element.cloneNode(false) as Element;
  /** Everything of the document that what is found in a part may depend on, but its ancestors. */
  const way = [JSON.stringify(options.runOnly), innerWidth, innerHeight, media, rules, opening(root).outerHTML].join(
    ' ',
  );
  const now: number[] = [];

  const changed: Element[] = [];
  /** From here on axe sees these children alone. */
  const showOnly = (element: Element, kept: Node[]) => {
    changed.push(element);
    Object.defineProperties(element, {
      childNodes: { value: kept, configurable: true },
      children: { value: kept.filter((node) => node instanceof Element), configurable: true },
    });
  };

  // An element with a role is checked with its whole content, which its name or its required children come from.
  const isBox = (element: Element) =>
    /^(DIV|MAIN|SECTION|ARTICLE|ASIDE|FORM|HEADER|FOOTER|NAV)$/.test(element.tagName) &&
    /^(|region|tabpanel|presentation|dialog)$/.test(element.getAttribute('role') ?? '');
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflow);

  /** Leaves out what stood there, under the same ancestors, at a look that found nothing; not what has the focus. */
  const leaveOutSeen = (element: Element, above: string) => {
    const within = above + opening(element).outerHTML;
    const kept = [...element.childNodes].filter((child) => {
      if (!(child instanceof Element) || !child.checkVisibility()) return true;
      const needed =
        child.matches('main, h1, label') ||
        child.contains(document.activeElement) ||
        child.querySelector('h1') !== null;
      if (!needed) {
        const key = hash(within + child.outerHTML);
        if (window.lookedAt?.has(key)) return false;
        now.push(key);
      }
      // A box that scrolls must have something in it that takes the focus; a small one may be a field with its label.
      if (isBox(child) && child.querySelectorAll('*').length > 30 && !scrolls(child)) leaveOutSeen(child, within);
      return true;
    });
    if (kept.length < element.childNodes.length) showOnly(element, kept);
  };

  // Rows, options and cells of one kind: as many as have a neighbour on either side, and an even and an odd one.
  const enough = 3;
  const kinds = new Map<string, number>();
  const told =
    /^(role|type|class|style|tabindex|aria-(?!label|owns|controls|active|described|row|col|pos|set|value).*|data-.*)$/;
  /** The same for elements that differ in nothing but their words, numbers and ids. */
  const kindOf = (element: Element): number => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      told.test(name) ? `${name}=${value.replaceAll(/-?[\d.]+(px|%)?/g, '0$1')}` : `${name}${value.trim() === ''}`,
    );
    const inside = [...element.childNodes].map((child) =>
      child instanceof Element ? kindOf(child) : child.textContent?.trim() === '' ? '' : 'text',
    );
    const said = `${element.tagName} ${attributes.join()} ${inside.join()}`;
    const kind = kinds.get(said) ?? kinds.size;
    kinds.set(said, kind);
    ofElement.set(element, kind);
    return kind;
  };
  const ofElement = new Map<Element, number>();
  const leaveOutRepeated = (element: Element) => {
    const count = new Map<number, number>();
    const kept = [...element.childNodes].filter((child) => {
      if (!(child instanceof Element) || !child.checkVisibility()) return true;
      const kind = ofElement.get(child) ?? -1;
      count.set(kind, (count.get(kind) ?? 0) + 1);
      if ((count.get(kind) ?? 0) > enough && !child.contains(document.activeElement)) return false;
      leaveOutRepeated(child);
      return true;
    });
    if (kept.length < element.childNodes.length) showOnly(element, kept);
  };

  const shown = (selector: string) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const found: string[] = [];
  // The two that are about what is left out too.
  let before = 6;
  for (const heading of shown('h1, h2, h3, h4, h5, h6')) {
    const level = Number(heading.tagName.slice(1));
    if (level > before + 1) found.push(`heading-order: “${heading.textContent}” is of level ${level} after ${before}`);
    before = level;
  }
  const ids = new Set<string>();
  for (const { id } of document.querySelectorAll('[id]')) {
    if (ids.has(id)) found.push(`duplicate-id: ${id}`);
    ids.add(id);
  }

  try {
    // Screens left behind stay in the page, unseen, and were looked at when they were shown.
    for (const screen of document.querySelectorAll('[data-screen]'))
      if (!screen.checkVisibility()) showOnly(screen, []);
    leaveOutSeen(body, way);
    kindOf(body);
    leaveOutRepeated(body);
    const { violations } = await window.axe.run(options);
    for (const { id, nodes } of violations)
      found.push(`${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary ?? ''}`).join(' | ')}`);
  } finally {
    for (const element of changed as { childNodes?: unknown; children?: unknown }[]) {
      delete element.childNodes;
      delete element.children;
    }
  }
  if (found.length === 0) for (const key of now) window.lookedAt.add(key);
  return found;
}

/** Axe's findings on what the window shows now; `rules`: these of axe's alone. */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Without @axe-core/playwright, which reads half a megabyte into the page anew for each look, for frames that this page has not.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    // Asked for by its tags, axe leaves out no rule that it counts as new: the size of targets is one.
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: axeTags },
    // What passes is not described: it is most of the work.
    resultTypes: ['violations'],
    // Style sheets are not fetched once more: no rule of these tags reads them.
    preload: false,
    rules: {
      // It looks at every element, shown or not, and finds nothing but what somebody should look at again.
      'hidden-content': { enabled: false },
      // Looked at above, over all that is shown.
      'heading-order': { enabled: false },
    },
  };
  return page.evaluate(look, options);
}
