import { useEffect } from 'react';
import { useBatchesFollowed } from '../features/batch/follow.ts';
import { DropHere } from '../features/batch/start/drop-here.tsx';
import { loadPartsWhenIdle } from '../lib/window/part.tsx';
import type { ScreenId } from '../lib/window/routes.tsx';
import { useArrivals } from './arrivals.ts';
import { useFeatureCommands } from './palette/feature-commands.ts';
import { type FrameCommandsInput, useFrameCommands } from './palette/frame-commands.ts';
import { useLicencesAhead } from './screens/licences-ahead.ts';
import { useUnseenFailures } from './unseen-failures.ts';

/** What the window does besides the screen shown, loaded once the frame is up: it needs the rules of several features. */
export function Background({ screen, ...frame }: FrameCommandsInput & { screen: ScreenId }) {
  const { go, connections, currentId } = frame;
  const dropping = useArrivals({ go, enabled: connections.length > 0, screen, connectionId: currentId });
  useFrameCommands(frame);
  useFeatureCommands(currentId);
  useBatchesFollowed(
    connections.map(({ connection }) => connection.id),
    currentId,
  );
  useLicencesAhead(currentId);
  useUnseenFailures();
  useEffect(loadPartsWhenIdle, []);
  return dropping && screen !== 'licences' && <DropHere />;
}
