import type { UpdateState } from '../../../shared/contract/updates.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../ports.ts';
import type { Policy } from '../policy/policy-schema.ts';
import type { Settings } from '../settings/settings.ts';
import type { HttpTransport } from '../transport/http/http-transport.ts';
import {
  checkUpdateChoice,
  type InstallPlace,
  planUpdates,
  type UpdateChoices,
  type UpdatePlan,
} from './plan-updates.ts';
import type { ProgramAdapter } from './update-engine.ts';
import { createUpdates, type Updates } from './updates.ts';

/** What the shell knows of the program and its place. */
export interface UpdateHost {
  place: InstallPlace;
  program: ProgramAdapter;
}

/** For a console without a window: a run for development. */
export const noUpdates: UpdateHost = {
  place: { packaged: false, kind: 'loose', folder: '', writable: false, publisherKnown: false },
  program: {
    version: '0.0.0',
    name: 'Address Console',
    isPackaged: false,
    appUpdateConfigPath: '',
    userDataPath: '',
    baseCachePath: '',
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  },
};

export interface ProgramUpdates extends Omit<Updates, 'replan'> {
  /** What the user wants. Errors: `policy-forbids`, `bad-input`, `storage-failed`. */
  choose(request: { mode: UpdateState['mode']; address: string }): Result<UpdateState>;
}

/** Updates of the whole console: the plan from policy and settings, electron-updater loaded when it is first needed. */
export function createProgramUpdates(parts: {
  host: UpdateHost;
  policy: Policy;
  settings: Settings;
  clock: Clock;
  connect: HttpTransport['connect'];
  /** Whether something is under way in this process that a restart would interrupt. */
  isBusy(): boolean;
  /** Whether a command is at work on the same data folder. */
  isCommandAlive(): boolean;
  onChange(state: UpdateState): void;
}): ProgramUpdates {
  const { host, policy, settings, connect, isCommandAlive } = parts;
  const { place, program } = host;

  const choices = (): UpdateChoices => {
    const mode = settings.read('updateMode');
    const address = settings.read('updateUrl');
    return {
      policyMode: policy.updateMode,
      policyAddress: policy.updateUrl,
      // Settings that cannot be read do not call for the network.
      userMode: mode.ok ? mode.value : 'off',
      userAddress: address.ok ? address.value : '',
    };
  };
  const plan = (): UpdatePlan => planUpdates(choices(), place);

  const { replan, ...updates } = createUpdates({
    version: program.version,
    clock: parts.clock,
    plan,
    loadEngine: async (address) => {
      const { createUpdateEngine } = await import('./update-engine.ts');
      return createUpdateEngine({ kind: place.kind, address, program, connect, isCommandAlive });
    },
    systemInstalls: () => place.kind === 'mac',
    putAway: {
      read: () => {
        const version = settings.read('updatePutAway');
        return version.ok ? version.value : null;
      },
      write: (version) => settings.write('updatePutAway', version),
    },
    isBusy: () => parts.isBusy() || isCommandAlive(),
    quit: () => program.quit(),
    onChange: parts.onChange,
  });

  return {
    ...updates,
    choose({ mode, address }) {
      const request = { mode, address: address.trim() };
      const allowed = checkUpdateChoice(choices(), request);
      if (!allowed.ok) return allowed;
      const before = plan();
      const written = [
        settings.write('updateMode', request.mode),
        // A policy's address does not become the user's own: it goes when the policy goes.
        ...(policy.updateUrl === undefined ? [settings.write('updateUrl', request.address)] : []),
      ].find((one) => !one.ok);
      if (written && !written.ok) return written;
      replan(before);
      const now = updates.state();
      parts.onChange(now);
      return ok(now);
    },
  };
}
