import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';

// Axe over what a window shows. It takes ten times as long as drawing, so each part is checked once: an element unchanged since
// nothing was found in it, and one that repeats its neighbours, is hidden from axe.

declare global {
  interface Window {
    axe: typeof import('axe-core');
    /** Hashes of the parts of this document in which axe found nothing, with everything that a finding may depend on. */
    lookedAt: Set<number> | undefined;
  }
}

/** WCAG 2.2 at level AA with all earlier versions, and axe's good practices. */
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** Minified: the source that axe itself gives is twice as long, and each page reads it anew. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page. Returns axe's findings as sentences. */
async function look(options: RunOptions): Promise<string[]> {
  const { documentElement: root, body } = document;
  window.lookedAt ??= new Set();
  const media = ['(prefers-contrast: more)', '(forced-colors: active)'].map((query) => matchMedia(query).matches);
  /** 53 bits (cyrb53): storing the texts themselves would take megabytes a check. */
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
  // The number of rules changes when a screen brings its own style sheet.
  const rules = [...document.styleSheets, ...document.adoptedStyleSheets].map(({ cssRules }) => cssRules.length);
  const opening = (element: Element) => element.cloneNode(false) as Element;
  /** Everything of the document that a finding in a part may depend on, except the part's ancestors. */
  const way = [JSON.stringify(options.runOnly), innerWidth, innerHeight, media, rules, opening(root).outerHTML].join(
    ' ',
  );
  const now: number[] = [];

  const changed: Element[] = [];
  /** Lets axe see only these children of an element. */
  const showOnly = (element: Element, kept: Node[]) => {
    changed.push(element);
    Object.defineProperties(element, {
      childNodes: { value: kept, configurable: true },
      children: { value: kept.filter((node) => node instanceof Element), configurable: true },
    });
  };

  const shown = (selector: string) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());

  // What is hidden is checked when it is shown. Axe does not report on it either, but asks for the style of each of its elements, which
  // the browser computes for that alone. It is kept where it names or describes something that is shown.
  const isHidden = (node: Node) =>
    node instanceof HTMLElement && !node.checkVisibility() && getComputedStyle(node).display === 'none';
  const naming = shown('[aria-labelledby], [aria-describedby], input, textarea, select').flatMap((one) => [
    ...(one.ariaLabelledByElements ?? []),
    ...(one.ariaDescribedByElements ?? []),
    ...((one as HTMLInputElement).labels ?? []),
  ]);

  // An element with a role is checked with its whole content, which its name or its required children come from.
  const isBox = (element: Element) =>
    /^(DIV|MAIN|SECTION|ARTICLE|ASIDE|FORM|HEADER|FOOTER|NAV)$/.test(element.tagName) &&
    /^(|region|tabpanel|presentation|dialog)$/.test(element.getAttribute('role') ?? '');
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflow);

  /** Leaves out parts that were there, under the same ancestors, at a check that found nothing; never the one with the focus. */
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
      // A scrolling box must have something that takes the focus, and a small box may be a field with its label: neither is taken apart.
      if (isBox(child) && child.querySelectorAll('*').length > 30 && !scrolls(child)) leaveOutSeen(child, within);
      return true;
    });
    if (kept.length < element.childNodes.length) showOnly(element, kept);
  };

  // Rows, options and cells of one kind that axe sees: enough for one with a neighbour on either side, and for an even and an odd one.
  const enough = 3;
  const kinds = new Map<string, number>();
  const told =
    /^(role|type|class|style|tabindex|aria-(?!label|owns|controls|active|described|row|col|pos|set|value).*|data-.*)$/;
  /** A number that is the same for elements that differ only in words, numbers and ids. */
  const kindOf = (element: Element): number => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      told.test(name) ? `${name}=${value.replaceAll(/-?[\d.]+(px|%)?/g, '0$1')}` : `${name}${value.trim() === ''}`,
    );
    const inside = [...element.childNodes].map((child) =>
      isHidden(child) ? '' : child instanceof Element ? kindOf(child) : child.textContent?.trim() === '' ? '' : 'text',
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
      if (isHidden(child)) return naming.some((one) => child.contains(one));
      if (!(child instanceof Element) || !child.checkVisibility()) return true;
      const kind = ofElement.get(child) ?? -1;
      count.set(kind, (count.get(kind) ?? 0) + 1);
      if ((count.get(kind) ?? 0) > enough && !child.contains(document.activeElement)) return false;
      leaveOutRepeated(child);
      return true;
    });
    if (kept.length < element.childNodes.length) showOnly(element, kept);
  };

  const found: string[] = [];
  // These two rules concern what is left out too, so they are checked here over everything.
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
    // Axe finds what overlaps by a walk of its own.
    document.createTreeWalker = (start, what) =>
      Document.prototype.createTreeWalker.call(document, start, what, (node: Node) =>
        isHidden(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
      );
    // A finding names its element by a selector; its source would be copied for every element that is checked.
    window.axe.configure({ noHtml: true });
    leaveOutSeen(body, way);
    kindOf(body);
    leaveOutRepeated(body);
    const { violations } = await window.axe.run(options);
    for (const { id, nodes } of violations)
      found.push(`${id}: ${nodes.map((node) => `${String(node.target)} ${node.failureSummary ?? ''}`).join(' | ')}`);
  } finally {
    delete (document as { createTreeWalker?: unknown }).createTreeWalker;
    for (const element of changed as { childNodes?: unknown; children?: unknown }[]) {
      delete element.childNodes;
      delete element.children;
    }
  }
  if (found.length === 0) for (const key of now) window.lookedAt.add(key);
  return found;
}

/** Axe's findings on what the window shows now; `rules` limits it to these rules. */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Not @axe-core/playwright, which loads half a megabyte into the page for each check to support frames, which this page has not.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const options: RunOptions = {
    // By tags axe also runs the rules that it treats as new and leaves out by default, such as the size of targets.
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: axeTags },
    // Passes are not described, which would be most of the work.
    resultTypes: ['violations'],
    // Style sheets are not fetched again, since no rule of these tags reads them.
    preload: false,
    rules: {
      // This rule visits every element, visible or not, and only asks for a manual check.
      'hidden-content': { enabled: false },
      // Checked above, over everything that is shown.
      'heading-order': { enabled: false },
    },
  };
  return page.evaluate(look, options);
}
