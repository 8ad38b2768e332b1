import type { licenceChannels } from '../../shared/contract/licences.ts';
import type { LicenceList } from '../../shared/domain/licences/licence.ts';
import { mostBulkRows } from '../../shared/domain/licences/licence-bulk.ts';
import { localDay } from '../../shared/domain/text/calendar-day.ts';
import { appError } from '../../shared/errors.ts';
import { fail, mapResult, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { readTable } from '../core/tables/read-table.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { clipboardRefused, type Shell, saveAs } from './shell.ts';

/** Every row of a bulk change, and the header. */
const mostTableRows = mostBulkRows + 1;

/** Licences that cross to the window in one message: some 750 kB, which the window takes in well under a tenth of a second. */
const inOnePart = 2000;

const firstPart = ({ licences, ...list }: LicenceList) => ({
  ...list,
  licences: licences.slice(0, inOnePart),
  total: licences.length,
});

/** What is written, piece by piece, and what is recorded before the file gets its name and afterwards. */
interface Made {
  pieces: Iterable<{ text: string; rows: number }>;
  begin?: () => Result<void>;
  end?: (isSaved: boolean) => Result<void>;
}

const inOnePiece = (made: Result<{ text: string; rows: number }>): Result<Made> =>
  mapResult(made, (piece) => ({ pieces: [piece] }));

export function licenceHandlers(
  { licences, policy, secrets, emit }: AppCore,
  shell: Pick<Shell, 'chooseSaveFile' | 'openTextFile' | 'copySecret'>,
): HandlersOf<typeof licenceChannels> {
  const { machines, bulks } = licences;
  const day = (): string => localDay(Date.now());

  const enterList = (bulkId: string): Result<void> => {
    const bulk = bulks.find(bulkId);
    return bulk.ok ? licences.enterSaid('list', bulkId, bulk.value.connectionId) : bulk;
  };

  async function putSecret(text: string): Promise<Result<number>> {
    try {
      return ok(await shell.copySecret(text));
    } catch {
      // The error is not passed on, since its message may quote the text.
      return fail(clipboardRefused());
    }
  }

  /** Runs `work` once the list last seen has been read in slices: fifty thousand licences at once would block main. */
  async function withList<T>(connectionId: string, work: () => Result<T> | Promise<Result<T>>): Promise<Result<T>> {
    const loaded = await licences.loadLastSeen(connectionId);
    return loaded.ok ? work() : loaded;
  }

  /** Makes the text first, so that nobody is asked for a file if there is nothing to save. */
  async function save(
    title: string,
    name: string,
    extension: string,
    made: Result<Made>,
    signal: AbortSignal,
  ): ReturnType<typeof saveAs> {
    const allowed = policy.checkExport();
    if (!allowed.ok) return allowed;
    if (!made.ok) return made;
    const { pieces, begin, end } = made.value;
    return saveAs(shell, { title, name: `${name}-${day()}.${extension}`, extension }, async (path) => {
      const written = await writeTextFile(path, pieces, signal, begin);
      const entered = end?.(written.ok);
      return written.ok && entered && !entered.ok ? entered : written;
    });
  }

  return {
    'licences.last-seen': ({ connectionId }) =>
      withList(connectionId, () => {
        const seen = licences.lastSeen(connectionId);
        return seen.ok ? ok({ ...seen.value, list: firstPart(seen.value.list) }) : seen;
      }),
    'licences.read': async ({ connectionId }, context) =>
      mapResult(await licences.read(connectionId, context), firstPart),
    'licences.more': ({ connectionId, readAt, from }) =>
      withList(connectionId, () => {
        const seen = licences.lastSeen(connectionId);
        if (!seen.ok) return seen;
        const { list } = seen.value;
        return ok({ licences: list.readAt === readAt ? list.licences.slice(from, from + inOnePart) : [] });
      }),
    'licences.ask-machine': ({ connectionId, machine }, context) => licences.askMachine(connectionId, machine, context),
    'licences.plan': (request, context) => licences.plan(request, context),
    'licences.run': ({ changeId, confirmedName, ticked = false }, context) =>
      licences.run(changeId, { name: confirmedName, ticked }, context),
    'licences.stop-after-step': ({ changeId }) => {
      if (licences.stopAfterThisStep(changeId)) return ok({});
      return fail(
        appError('bad-input', {
          message: 'This program does not run that change: a command does, or it has ended.',
          next: 'Stop it where it was started.',
          charge: 'not-applicable',
        }),
      );
    },
    'licences.unfinished': () => mapResult(licences.unfinished(), (changes) => ({ changes })),
    'licences.find-change': ({ changeId }) => licences.findChange(changeId),
    'licences.resume': ({ changeId, ...resumption }, context) => licences.resume(changeId, resumption, context),
    'licences.receipt': ({ changeId }) => mapResult(licences.receipt(changeId), (text) => ({ text })),
    'journal.list': async ({ filter, before, limit }, { signal }) =>
      mapResult(await licences.journalEntries(filter, before, limit, signal), (entries) => ({ entries })),
    'journal.choices': () => licences.journalChoices(),
    'journal.check': () => licences.checkJournal(),
    'journal.export': (_, { signal }) =>
      save('Export the licence journal', 'licence-journal', 'jsonl', inOnePiece(licences.exportJournal()), signal),
    'licences.copy-guid': async (request, context) => {
      const allowed = policy.checkExport();
      return allowed.ok ? licences.handOutGuid(request, putSecret, context) : allowed;
    },
    'licences.annotations': ({ connectionId }) => withList(connectionId, () => licences.own(connectionId)),
    'licences.save-label': ({ connectionId, label }) =>
      withList(connectionId, () => licences.saveLabel(connectionId, label)),
    'licences.save-view': ({ connectionId, name, filter }) =>
      withList(connectionId, () => licences.saveView(connectionId, name, filter)),
    'licences.remove-view': ({ connectionId, name }) =>
      withList(connectionId, () => licences.removeView(connectionId, name)),
    'licences.annotate': ({ connectionId, own }) =>
      withList(connectionId, () => licences.saveAnnotations(connectionId, own)),
    'licences.export': ({ connectionId, filter }, { signal }) =>
      withList(connectionId, () =>
        save('Export the licences', 'licences', 'csv', licences.exportLicences(connectionId, filter), signal),
      ),
    'licences.save-rule': ({ connectionId, rule }) =>
      withList(connectionId, () => licences.saveRule(connectionId, rule)),
    'licences.export-calendar': ({ connectionId }, { signal }) =>
      withList(connectionId, async () =>
        save(
          'Save the reminders as a calendar',
          'licence-expiries',
          'ics',
          inOnePiece(await licences.exportCalendar(connectionId)),
          signal,
        ),
      ),
    'machines.overview': ({ connectionId }) => withList(connectionId, () => machines.overview(connectionId)),
    'machines.seen': ({ connectionId, machines: names }) =>
      withList(connectionId, () => machines.seenOn(connectionId, names)),
    'machines.save': ({ connectionId, machine, oldName }) =>
      withList(connectionId, () => machines.save(connectionId, machine, oldName)),
    'machines.remove': ({ connectionId, name }) => withList(connectionId, () => machines.remove(connectionId, name)),
    'machines.import': async ({ connectionId }) => {
      const file = await shell.openTextFile({ title: 'Import machines', extensions: ['csv', 'txt', 'tsv'] });
      if (!file.ok) return file;
      if (file.value === null) return ok({ fileName: '', added: 0, changed: 0, same: 0, refused: [] });
      const taken = await machines.importText(
        connectionId,
        file.value.text,
        (texts) => secrets.findTyped(texts) !== null,
      );
      return taken.ok ? ok({ fileName: file.value.name, ...taken.value }) : taken;
    },
    'machines.export': ({ connectionId }, { signal }) =>
      withList(connectionId, () =>
        save('Export the machines', 'machines', 'csv', inOnePiece(machines.exportText(connectionId)), signal),
      ),
    'machines.scan': ({ connectionId, machines: names }, { signal, requestId }) =>
      licences.scan(connectionId, names, {
        signal,
        onProgress: (progress) => emit('machines.scan-progress', { requestId, ...progress }),
      }),
    'bulk.open': async () => {
      const file = await shell.openTextFile({ title: 'Open a bulk change', extensions: ['csv', 'txt', 'tsv'] });
      if (!file.ok) return file;
      if (file.value === null) return ok({ file: null });
      const rows = await readTable(file.value.text, mostTableRows);
      return rows.ok ? ok({ file: { name: file.value.name, rows: rows.value } }) : rows;
    },
    'bulk.read-text': async ({ text }) => mapResult(await readTable(text, mostTableRows), (rows) => ({ rows })),
    'bulk.plan': (request, context) => licences.planBulk(request, context),
    'bulk.run': ({ bulkId, rows, confirmed, ticked }) => licences.runBulk(bulkId, rows, confirmed, ticked),
    'bulk.leave-out': ({ bulkId, row, out }) => bulks.leaveOut(bulkId, row, out),
    'bulk.stop': ({ bulkId }) => {
      bulks.stop(bulkId);
      return ok({});
    },
    'bulk.latest': ({ connectionId, moves }) => mapResult(bulks.latest(connectionId, moves), (bulk) => ({ bulk })),
    'bulk.export': ({ bulkId }, { signal }) =>
      save(
        'Save the states of the rows',
        'bulk-change',
        'csv',
        bulks.exportCsv(bulkId, () => new Date().toISOString()),
        signal,
      ),
    'bulk.receipt': ({ bulkId }) => {
      const text = bulks.receipt(bulkId);
      if (!text.ok) return text;
      const entered = enterList(bulkId);
      return entered.ok ? ok({ text: text.value }) : entered;
    },
  };
}
