import type { Page } from 'playwright';
import { openWindow, timeKey } from './bench-window.ts';

const screen = '[data-screen="activity"]';
const words = { rare: 'premise00000420', common: 'getpremise', three: 'premise contact ans' } as const;

/** Milliseconds on the Activity screen, a list for each thing done, over the data of a folder. */
export type ActivityTimes = Record<
  'open' | keyof typeof words | 'chip' | 'unchip' | 'scroll' | 'counted' | 'countedWords',
  number[]
>;

/**
 * From a key, a letter or a click to the frame with the resulting rows, and to the sums of the filtered rows; with a new window for
 * each round, so that nothing is cached.
 */
export async function timeActivityScreen(folder: string, rounds: number): Promise<ActivityTimes> {
  const times: ActivityTimes = {
    open: [],
    rare: [],
    common: [],
    three: [],
    chip: [],
    unchip: [],
    scroll: [],
    counted: [],
    countedWords: [],
  };
  for (let round = 0; round < rounds; round += 1) {
    const { page, close } = await openWindow(folder, { width: 1280, height: 800 });
    times.open.push(await timeKey(page, '4', `${screen} [role="grid"] tbody tr`, 5));
    await sumsThere(page);
    for (const name of ['common', 'three', 'rare'] as const) {
      const typed = await timeUntilRows(page, { type: words[name] });
      times[name].push(typed.rows);
      if (name === 'three') times.countedWords.push(typed.sums);
      await timeUntilRows(page, { type: '' });
    }
    await page.getByRole('button', { name: 'Outcome', exact: true }).click();
    const item = page.getByRole('menuitemcheckbox', { name: 'refused', exact: true });
    await item.waitFor();
    const chip = await timeUntilRows(page, { click: 'refused' });
    times.chip.push(chip.rows);
    const without = await timeUntilRows(page, { click: 'refused' });
    times.unchip.push(without.rows);
    times.counted.push(without.sums);
    await page.keyboard.press('Escape');
    for (let step = 0; step < 4; step += 1) times.scroll.push(await timeNextPage(page));
    await close();
  }
  return times;
}

const sumsThere = (page: Page): Promise<unknown> => page.locator(`${screen} .filter-figures`).waitFor();

/** To the first frame with other rows, and to the sums of them. */
const timeUntilRows = (page: Page, act: { type?: string; click?: string }): Promise<{ rows: number; sums: number }> =>
  page.evaluate(
    ({ act: { type, click }, root }) =>
      new Promise<{ rows: number; sums: number }>((done) => {
        const one = (selector: string) => document.querySelector(`${root} ${selector}`);
        // Number of rows, and what the first and last of those drawn say.
        const shown = () => {
          const drawn = document.querySelectorAll(`${root} [role="grid"] tbody tr[data-row]`);
          const count = one('[role="grid"]')?.getAttribute('aria-rowcount');
          return [count, drawn[0]?.textContent, drawn[drawn.length - 1]?.textContent].join('|');
        };
        const before = shown();
        const sumsBefore = one('.filter-figures')?.textContent;
        const began = performance.now();
        let rows = 0;
        if (type !== undefined) {
          const field = document.querySelector<HTMLInputElement>(`${root} search input`);
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, type);
          field?.dispatchEvent(new Event('input', { bubbles: true }));
        } else
          [...document.querySelectorAll<HTMLElement>('[role="menuitemcheckbox"]')]
            .find((item) => item.textContent === click)
            ?.click();
        const look = () => {
          if (rows === 0 && shown() !== before) rows = performance.now() - began;
          // The sums are not shown while they are being counted.
          const sums = one('.filter-figures')?.textContent;
          if (rows > 0 && sums !== undefined && sums !== sumsBefore)
            requestAnimationFrame(() => setTimeout(() => done({ rows, sums: performance.now() - began })));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    { act, root: screen },
  );

/** From the scroll that asks for earlier calls to the frame in which they can be scrolled to. */
const timeNextPage = (page: Page): Promise<number> =>
  page.evaluate(
    (root) =>
      new Promise<number>((done) => {
        const count = () => document.querySelector(`${root} [role="grid"]`)?.getAttribute('aria-rowcount');
        const before = count();
        const box = document.querySelector(`${root} .table-scroll`);
        const began = performance.now();
        if (box) box.scrollTop = box.scrollHeight;
        const look = () => {
          if (count() !== before) setTimeout(() => done(performance.now() - began));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    screen,
  );
