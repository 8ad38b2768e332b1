import { Button, SegmentedControl, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Settings } from '../../../shared/contract/app.ts';
import { Failure } from '../../components/failure.tsx';
import { Fields } from '../../components/fields.tsx';
import { Mono } from '../../components/marks.tsx';
import { ScreenTitle } from '../../components/screen-title.tsx';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { appInfoQuery, settingsQuery, updateStateQuery } from '../../lib/calls/queries.ts';
import { countOf } from '../../lib/text/format.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { CachedAnswers } from './cached-answers.tsx';
import { LicencesOfParts } from './licences-dialog.tsx';
import { NetworkPart } from './network/network.tsx';
import { proxyKindOf } from './network/network-messages.ts';
import { networkQuery } from './network/network-queries.ts';
import { NumberSetting } from './number-setting.tsx';
import { formatLocked } from './policy-messages.ts';
import { Setting } from './setting.tsx';
import { StoredData } from './stored-data.tsx';
import { formatUpdateAddress, updateModeText } from './updates/update-messages.ts';
import { Updates } from './updates/updates.tsx';
import './settings.css';

type CacheMode = Settings['cachePolicy']['mode'];

const cacheModes: readonly { value: CacheMode; label: string }[] = [
  { value: 'off', label: 'Not at all' },
  { value: 'run', label: 'Until the program ends' },
  { value: 'hours', label: 'For hours' },
  { value: 'days', label: 'For days' },
];

const platforms = { windows: 'Windows', macos: 'macOS', linux: 'Linux' } as const;

/** What applies to every connection. Each change is saved at once. */
export function SettingsScreen() {
  const go = useGo();
  const client = useQueryClient();
  const { data: settings } = useQuery(settingsQuery());
  const { data: info } = useQuery(appInfoQuery());
  const { data: updates } = useQuery(updateStateQuery());
  const { data: network } = useQuery(networkQuery());
  const save = useMutation({
    mutationFn: (changes: Partial<Settings>) => call('settings.save', changes),
    meta: {
      subject: (changes: Partial<Settings>) =>
        `Changing ${(Object.keys(changes) as (keyof Settings)[]).map((name) => changeNames[name]).join(' and ')}`,
    },
    onSuccess: (saved) => client.setQueryData(settingsQuery().queryKey, saved),
  });
  if (!settings) return <div className="col grow" aria-busy="true" />;
  const { cachePolicy } = settings;
  const timed = cachePolicy.mode === 'hours' || cachePolicy.mode === 'days';

  return (
    <>
      <div className="pagebar">
        <ScreenTitle>Settings</ScreenTitle>
        <span className="grow" />
        <span className="sm t3">Changes apply at once, figures when their field is left</span>
      </div>
      <div className="settings-page">
        <SectionList
          sections={[
            ['settings-look', 'Appearance', schemeNames[settings.colourScheme]],
            ['settings-cached', 'Saved answers', cacheText(settings)],
            ['settings-batch', 'Rows of batches', countOf(settings.batchDays, 'day')],
            ['settings-stored', 'Stored data', ''],
            ['settings-wait', 'Time limit', countOf(settings.timeoutSeconds, 'second')],
            ['settings-updates', 'Updates', updates ? updateModeText[updates.mode].toLowerCase() : ''],
            ['settings-network', 'Network', network ? proxyNames[proxyKindOf(network.choice)] : ''],
            ['settings-network-check', 'Network check', ''],
            ['settings-setup', 'Set-up file', ''],
            ['settings-about', 'This program', info?.version ?? ''],
          ]}
        />
        <div className="settings">
          {save.error && <Failure error={errorOf(save.error)} />}
          <section aria-labelledby="settings-look">
            <h2 className="h" id="settings-look">
              Appearance
            </h2>
            <Setting about="Light, dark, or whichever this computer uses.">
              <SegmentedControl
                aria-label="Colour scheme"
                value={settings.colourScheme}
                onChange={(colourScheme) => save.mutate({ colourScheme: colourScheme as Settings['colourScheme'] })}
                data={[
                  { value: 'auto', label: 'As the system' },
                  { value: 'light', label: 'Light' },
                  { value: 'dark', label: 'Dark' },
                ]}
              />
            </Setting>
          </section>
          <section aria-labelledby="settings-cached">
            <h2 className="h" id="settings-cached">
              Saved answers
            </h2>
            <Setting
              title="Save answers"
              about={
                <>
                  Saved answers can be opened again free of charge. They stay on this computer, in the program’s
                  database, without keys. Your address data licence may limit how long you may keep them.
                  {info?.lockedByPolicy.includes('heldAnswerHoursMax') &&
                    ' A policy of this computer sets the longest time.'}
                </>
              }
            >
              <div className="row g6 top wrap">
                <Select
                  aria-label="Save answers"
                  w={180}
                  data={cacheModes}
                  value={cachePolicy.mode}
                  onChange={(mode) =>
                    mode !== null && save.mutate({ cachePolicy: { ...cachePolicy, mode: mode as CacheMode } })
                  }
                />
                {timed && (
                  <NumberSetting
                    label={cachePolicy.mode === 'days' ? 'Days' : 'Hours'}
                    unit={cachePolicy.mode === 'days' ? 'day' : 'hour'}
                    min={1}
                    max={3650}
                    value={cachePolicy.amount}
                    onSave={(amount) => save.mutate({ cachePolicy: { ...cachePolicy, amount } })}
                  />
                )}
              </div>
              <p className="sm t2">An answer that found nothing is kept for a day at most.</p>
            </Setting>
            <CachedAnswers settings={settings} onMegabytes={(cacheMegabytes) => save.mutate({ cacheMegabytes })} />
          </section>
          <section aria-labelledby="settings-batch">
            <h2 className="h" id="settings-batch">
              Rows of batches
            </h2>
            <Setting about="After this time the rows of a batch that has ended are removed, and its counts kept. “Forget this batch” removes its rows at once. Its calls in Activity and its saved answers go by their own rules. A batch that was planned and never run is removed after 7 days.">
              <NumberSetting
                label="Days to keep rows"
                unit="day"
                min={1}
                max={3650}
                value={settings.batchDays}
                onSave={(batchDays) => save.mutate({ batchDays })}
              />
            </Setting>
          </section>
          <StoredData settings={settings} />
          <section aria-labelledby="settings-wait">
            <h2 className="h" id="settings-wait">
              Time limit
            </h2>
            <Setting about="How long to wait for one call. A call without an answer by then ends, and may have cost credits. It is never sent again automatically.">
              <NumberSetting
                label="Longest wait for one call"
                unit="second"
                width={140}
                min={2}
                max={300}
                value={settings.timeoutSeconds}
                onSave={(timeoutSeconds) => save.mutate({ timeoutSeconds })}
              />
            </Setting>
          </section>
          <Updates />
          <NetworkPart />
          <section aria-labelledby="settings-setup">
            <h2 className="h" id="settings-setup">
              Set-up file
            </h2>
            <Setting about="Connections, caps, machines, labels and saved lookups in one file, without keys, for a colleague or another computer.">
              <Button onClick={() => go('setup')}>Save or import a set-up…</Button>
            </Setting>
          </section>
          {info && (
            <section aria-labelledby="settings-about">
              <h2 className="h" id="settings-about">
                This program
              </h2>
              <Fields
                labelWidth={120}
                rows={[
                  { label: 'Version', value: info.version },
                  {
                    label: 'Runs on',
                    value: info.host === 'electron' ? 'Electron' : 'the development host, over an installed browser',
                  },
                  { label: 'System', value: platforms[info.platform] },
                  {
                    label: 'This machine',
                    value: <Mono>{info.machineName}</Mono>,
                    from: 'sent as a machine name only when you ask for it',
                  },
                  { label: 'User', value: info.userName, from: 'written in the licence journal' },
                  {
                    label: 'Policy',
                    value:
                      info.policySource === null
                        ? 'None on this computer'
                        : `Sets ${formatLocked(info.lockedByPolicy)}`,
                    from: info.policySource ?? '',
                  },
                  ...(updates
                    ? [
                        {
                          label: 'Network',
                          value: `Only the addresses of your connections${formatUpdateAddress(updates)}`,
                          from: 'through the proxy where one is named; no account, no telemetry',
                        },
                      ]
                    : []),
                ]}
              />
              <LicencesOfParts />
            </section>
          )}
        </div>
      </div>
    </>
  );
}

const changeNames: Readonly<Record<keyof Settings, string>> = {
  colourScheme: 'the appearance',
  cachePolicy: 'how long answers are saved',
  cacheMegabytes: 'the space for saved answers',
  batchDays: 'how long rows of batches are kept',
  timeoutSeconds: 'the time limit',
};

const proxyNames = { system: 'proxy as the system', direct: 'no proxy', address: 'a proxy of your own' } as const;

const schemeNames = { auto: 'as the system', light: 'light', dark: 'dark' } as const;

const cacheText = ({ cachePolicy: { mode, amount } }: Settings): string =>
  mode === 'days'
    ? countOf(amount, 'day')
    : mode === 'hours'
      ? countOf(amount, 'hour')
      : (cacheModes.find(({ value }) => value === mode)?.label ?? '').toLowerCase();

/** The sections with their present values, so that most questions are answered without opening one. */
function SectionList({ sections }: { sections: readonly (readonly [id: string, name: string, now: string])[] }) {
  const [current, setCurrent] = useState(sections[0]?.[0] ?? '');
  // The list follows the page: the last section whose heading has come to the upper half of it, or the one that was chosen in the list
  // for as long as it is in sight, since the page may not scroll far enough to bring its heading up.
  const chosen = useRef<string | null>(null);
  useEffect(() => {
    const page = document.querySelector('.settings');
    if (!page) return;
    const follow = () => {
      const { top, height } = page.getBoundingClientRect();
      const passed = [...page.querySelectorAll<HTMLElement>(':scope > section > h2')].filter(
        (heading) => heading.getBoundingClientRect().top < top + height / 3,
      );
      const wanted = chosen.current === null ? null : document.getElementById(chosen.current);
      const at = wanted?.getBoundingClientRect().top ?? Number.NaN;
      if (wanted && at > top - 2 && at < top + height) return setCurrent(wanted.id);
      chosen.current = null;
      const atEnd = page.scrollTop + page.clientHeight >= page.scrollHeight - 2;
      const last = atEnd ? page.querySelector('section:last-of-type > h2') : passed.at(-1);
      if (last) setCurrent(last.id);
    };
    const byHand = () => {
      chosen.current = null;
    };
    page.addEventListener('scroll', follow, { passive: true });
    for (const event of ['wheel', 'pointerdown', 'keydown']) page.addEventListener(event, byHand, { passive: true });
    return () => {
      page.removeEventListener('scroll', follow);
      for (const event of ['wheel', 'pointerdown', 'keydown']) page.removeEventListener(event, byHand);
    };
  }, []);
  const goTo = (id: string) => {
    const heading = document.getElementById(id);
    if (!heading) return;
    chosen.current = id;
    setCurrent(id);
    heading.tabIndex = -1;
    heading.scrollIntoView({ block: 'start' });
    heading.focus({ preventScroll: true });
  };
  return (
    <nav className="settings-list" aria-label="Settings">
      <ul className="plain">
        {sections.map(([id, name, now]) => (
          <li key={id}>
            <button type="button" aria-current={id === current ? 'true' : undefined} onClick={() => goTo(id)}>
              <span className="m">{name}</span>
              {now !== '' && <span className="xs t3 trunc">{now}</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
