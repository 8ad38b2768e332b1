import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, expectCleanInBoth, settle } from './fixtures.ts';

// Checks of a screen's accessibility that axe does not make. Each returns a sentence for every fault; empty means none.

declare global {
  interface Window {
    /** Elements, by tag and classes, that were found not to move: each kind is checked once in a document. */
    stillKinds: Set<string> | undefined;
  }
}

/** Checks the landmarks, headings, title and focus of what is shown. */
function lookAtStructure(): string[] {
  const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(shown);
  const wrong: string[] = [];
  const dialog = all('[role="dialog"], dialog').at(-1);
  const count = (selector: string) => all(selector).length;
  if (count('main, [role="main"]') !== 1) wrong.push(`${count('main, [role="main"]')} main landmarks`);
  for (const nav of all('nav'))
    if (!nav.ariaLabel && !nav.hasAttribute('aria-labelledby')) wrong.push('a nav without a name');
  const headings = all('h1, h2, h3, h4, h5, h6').filter((one) => !dialog?.contains(one));
  const firsts = headings.filter(({ tagName }) => tagName === 'H1');
  if (firsts.length !== 1)
    wrong.push(`${firsts.length} first headings: ${firsts.map((one) => one.textContent).join(', ')}`);
  let before = 0;
  for (const heading of [...headings].filter((one) => one.closest('main'))) {
    const level = Number(heading.tagName.slice(1));
    if (level > before + 1) wrong.push(`“${heading.textContent}” is a heading of level ${level} after ${before}`);
    before = level;
  }
  const screen = all('main [data-screen]')[0]?.dataset.screen;
  if (!/ · Address Console$/.test(document.title)) wrong.push(`the title “${document.title}”`);
  if (screen && screen !== 'first-run' && !document.title.toLowerCase().replaceAll('-', '').startsWith(screen))
    wrong.push(`the title “${document.title}” on ${screen}`);
  if (document.activeElement === null || document.activeElement === document.body) wrong.push('the focus is nowhere');
  for (const grid of all('[role="grid"], [role="treegrid"]')) {
    const rows = grid.querySelectorAll('[role="row"], tr:not(.detail, .pad, .group)').length;
    const said = Number(grid.getAttribute('aria-rowcount') ?? Number.NaN);
    if (Number.isNaN(said) || said < rows) wrong.push(`the grid “${grid.ariaLabel}” says ${said} rows and has ${rows}`);
  }
  return wrong;
}

/** Checks that scrolling can bring every control into view, that the page itself does not scroll, and no words with a table. */
function lookForLost(): string[] {
  const wrong: string[] = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) wrong.push(`the page is ${page.scrollWidth} wide in ${page.clientWidth}`);
  // A wide table scrolls in a box of its own: the words around it stay in sight.
  for (const table of document.querySelectorAll('table')) {
    let box = table.parentElement;
    while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement;
    if (table.checkVisibility() && box?.querySelector('p:not(table p)') && table.offsetWidth > box.clientWidth)
      wrong.push(
        `the table “${table.ariaLabel}” is ${table.offsetWidth} wide in ${box.className} of ${box.clientWidth}`,
      );
  }
  const selector = 'button, input, textarea, select, summary, a[href], [tabindex="0"], h1, h2';
  const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((one) => one.checkVisibility());
  for (const element of (dialog ?? document).querySelectorAll<HTMLElement>(selector)) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const own = element.getBoundingClientRect();
    const hidden = getComputedStyle(element);
    // Only for screen readers, or drawn by its label.
    if (own.width <= 2 || own.height <= 2 || hidden.clipPath !== 'none' || element.closest('.skip, .spoken')) continue;
    let { left, right, top, bottom } = own;
    for (let box = element.parentElement; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const room = box.getBoundingClientRect();
      const clip = (near: number, far: number, from: number, to: number, overflow: string): [number, number] => {
        if (overflow === 'visible') return [near, far];
        // A scrolling box can bring it into view, somewhere inside the box.
        const size = Math.min(far - near, to - from);
        const start = Math.min(Math.max(near, from), to - size);
        if (overflow !== 'hidden' && overflow !== 'clip') return [start, start + size];
        return [Math.max(near, from), Math.min(far, to)];
      };
      [left, right] = clip(left, right, room.left, room.right, style.overflowX);
      [top, bottom] = clip(top, bottom, room.top, room.bottom, style.overflowY);
    }
    [left, right] = [Math.max(left, 0), Math.min(right, innerWidth)];
    [top, bottom] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
    const enough = (seen: number, whole: number) => seen >= Math.min(whole, 24) * 0.6;
    if (enough(right - left, own.width) && enough(bottom - top, own.height)) continue;
    const name = element.ariaLabel || element.textContent?.slice(0, 40) || element.tagName;
    wrong.push(
      `“${name}” (${element.className}) is cut off: ${Math.round(right - left)} × ${Math.round(bottom - top)} of ${Math.round(own.width)} × ${Math.round(own.height)} at ${innerWidth} × ${innerHeight}`,
    );
  }
  return wrong;
}

/** Checks that nothing moves if the person prefers reduced motion. */
function lookForMotion(): string[] {
  const longest = (text: string) =>
    Math.max(...text.split(',').map((one) => Number.parseFloat(one) * (one.trim().endsWith('ms') ? 1 : 1000)));
  const wrong: string[] = document
    .getAnimations()
    .map((one) => `an animation of ${(one.effect as KeyframeEffect | null)?.target?.className}`);
  // One element for each set of classes, because the style rules apply to all of them alike.
  const kinds = new Map(
    [...document.querySelectorAll('body, body *')].map((one) => [`${one.tagName} ${one.getAttribute('class')}`, one]),
  );
  for (const [kind, element] of kinds) {
    if (window.stillKinds?.has(kind)) continue;
    const before = wrong.length;
    for (const part of [null, '::before', '::after']) {
      const style = getComputedStyle(element, part);
      const moves =
        (style.transitionProperty !== 'none' && longest(style.transitionDuration) > 10) ||
        (style.animationName !== 'none' && longest(style.animationDuration) > 10);
      if (moves) wrong.push(`${element.tagName} ${element.className} ${part ?? ''} moves`);
    }
    if (wrong.length === before) window.stillKinds = (window.stillKinds ?? new Set()).add(kind);
  }
  return wrong;
}

/**
 * Forced colours remove backgrounds and shadows, so the focus must be drawn with a line, and a chosen element must differ from the others
 * in more than its background.
 */
async function lookAtForcedColours(): Promise<string[]> {
  const wrong = new Set<string>();
  const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // With a dialog or menu open, only that is checked: what is behind it is checked without it.
  const place = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].filter(shown).at(-1) ?? document;
  const stops = 'button, input, textarea, select, summary, a[href], [tabindex="0"]';
  const focusable = [...place.querySelectorAll<HTMLElement>(stops)].filter(
    (element) =>
      shown(element) &&
      !element.matches(':disabled, [tabindex="-1"]') &&
      !element.closest('[aria-hidden="true"], [inert], .skip'),
  );
  const drawn = (style: CSSStyleDeclaration) =>
    style.outlineStyle !== 'none' &&
    Number.parseFloat(style.outlineWidth) > 0 &&
    !/rgba\(.*, 0\)$|transparent/.test(style.outlineColor);
  const before = document.activeElement as HTMLElement | null;
  const seen = new Set<string>();
  for (const element of focusable) {
    const kind = `${element.tagName} ${element.className}`;
    if (seen.has(kind) || seen.size > 60) continue;
    seen.add(kind);
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) continue;
    // Focusing a list or table moves to its first row, which may change what is shown.
    if (element.matches('[role="grid"], [role="listbox"], [role="tree"]'))
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    if (!element.matches(':focus-visible')) continue;
    // The focus ring may be drawn on the label, or on the row that aria-activedescendant names.
    const active = element.getAttribute('aria-activedescendant');
    const places = [
      element,
      element.nextElementSibling,
      element.parentElement,
      element.parentElement?.parentElement,
      active ? document.getElementById(active) : null,
    ];
    if (!places.some((place) => place && drawn(getComputedStyle(place))))
      wrong.add(`no focus ring on ${kind} “${element.ariaLabel ?? element.textContent?.slice(0, 30)}”`);
  }
  before?.focus({ preventScroll: true });
  const signature = (element: Element) =>
    [element, ...element.querySelectorAll(':scope > *, :scope > * > *')]
      .slice(0, 12)
      .map((one) =>
        [null, '::before', '::after']
          .map((part) => {
            const {
              color,
              outlineStyle,
              outlineWidth,
              borderTopWidth,
              borderBottomWidth,
              borderLeftWidth,
              borderTopColor,
              borderBottomColor,
              borderTopStyle,
              forcedColorAdjust,
              backgroundColor,
              fontWeight,
              textDecorationLine,
              content,
            } = getComputedStyle(one, part);
            const ground = forcedColorAdjust === 'none' || part !== null ? backgroundColor : '';
            return [
              color,
              outlineStyle,
              outlineWidth,
              borderTopWidth,
              borderBottomWidth,
              borderLeftWidth,
              borderTopColor,
              borderBottomColor,
              borderTopStyle,
              ground,
              fontWeight,
              textDecorationLine,
              content,
            ].join();
          })
          .join('|'),
      )
      .join('; ');
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? [])
      .map((one) => Number(one) / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one: string, other: string) => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  /** The background behind an element's text; null: none in its line of parents is drawn. */
  const groundOf = (element: Element | null): string | null => {
    for (let one = element; one; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one);
      if (!/, 0\)$/.test(backgroundColor)) return backgroundColor;
    }
    return null;
  };
  const hasOwnText = ({ childNodes }: Element) =>
    [...childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
  const chosen =
    '[role="option"][aria-selected="true"], [role="tab"][aria-selected="true"], [role="row"][aria-selected="true"], [role="treeitem"][aria-selected="true"], [aria-current]:not([aria-current="false"]), [aria-pressed="true"], .mantine-SegmentedControl-control[data-active]';
  for (const element of document.querySelectorAll(chosen)) {
    if (!shown(element)) continue;
    const other = [
      ...(
        element.closest(
          'ul, ol, [role="listbox"], [role="tablist"], [role="grid"], [role="tree"], [role="radiogroup"], .row, table',
        ) ?? document.body
      ).querySelectorAll(element.tagName),
    ].find(
      (one) =>
        one !== element &&
        one.className.split(' ')[0] === element.className.split(' ')[0] &&
        shown(one) &&
        !one.matches('[aria-selected="true"], [aria-current], [aria-pressed="true"], [data-active="true"], :disabled'),
    );
    if (other && signature(other) === signature(element))
      wrong.add(
        `${element.tagName} ${element.className} “${element.textContent?.slice(0, 30)}” looks chosen by its background alone`,
      );
  }
  // Where one of the two colours is ours or another part's, the words may be as light as their ground.
  for (const text of document.querySelectorAll(`:is(${chosen}), :is(${chosen}) *`)) {
    const { color } = getComputedStyle(text);
    const ground = groundOf(text);
    if (ground !== null && shown(text) && hasOwnText(text) && contrast(color, ground) < 4.5)
      wrong.add(`“${text.textContent?.slice(0, 30)}” (${text.className}) is ${color} on ${ground}`);
  }
  // The ground of marked words is the system's, which the computed style does not tell.
  for (const mark of document.querySelectorAll<HTMLElement>('mark')) {
    if (!shown(mark)) continue;
    const plain = document.body.appendChild(document.createElement('i'));
    plain.style.color = 'MarkText';
    const [own, system] = [mark, plain].map((one) => getComputedStyle(one).color);
    if (own !== system) wrong.add(`“${mark.textContent?.slice(0, 30)}” is marked and ${own}, not ${system}`);
    plain.remove();
  }
  return [...wrong];
}

const pictures = process.env.ADDRESS_CONSOLE_PICTURES;

/** Makes every check of one screen in one state: light, dark, 200 %, 320 px, forced colours, reduced motion. Restores the window. */
export async function lookAll(page: Page, name: string, size = { width: 1280, height: 800 }): Promise<void> {
  const wrong: string[] = [];
  const shoot = async (how: string) => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-${how}.png`) });
  };
  const note = (how: string, found: string[]) => wrong.push(...found.map((one) => `${name}, ${how}: ${one}`));
  await settle(page);
  // While a pressed button's call runs, the button may be disabled and without focus; the focus must come back to it.
  await page.waitForFunction(() => document.activeElement !== document.body).catch(() => undefined);
  note('light', await page.evaluate(lookAtStructure));
  await expect.soft(expectCleanInBoth(page, shoot, 'dark'), name).resolves.toBeUndefined();
  // Each change of scheme, size or colours lays out and draws the page again, so there is only one for each check.
  // In dark, where more of the system's colours differ from what a page has by itself.
  await page.emulateMedia({ forcedColors: 'active' });
  await settle(page);
  await page.keyboard.press('Shift');
  note('forced colours', await page.evaluate(lookAtForcedColours));
  await shoot('forced');
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
  for (const [how, width, height] of [
    ['zoom', 640, 400],
    ['reflow', 320, 512],
  ] as const) {
    await page.setViewportSize({ width, height });
    await settle(page);
    note(how, await page.evaluate(lookForLost));
    if (how === 'zoom') note('reduced motion', await page.evaluate(lookForMotion));
    await shoot(how);
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.setViewportSize(size);
  await settle(page);
  expect.soft(wrong).toEqual([]);
}
