import { type MantineColorSchemeManager, MantineProvider, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { readStyleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';
import { cssVariablesResolver } from './tokens.ts';

type ColourScheme = 'auto' | 'light' | 'dark';

/** The scheme is a setting kept by the main process; Mantine's own manager would keep a second copy in local storage. */
const schemeOf = (scheme: ColourScheme): MantineColorSchemeManager => ({
  get: () => scheme,
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
});

function FollowScheme({ scheme }: { scheme: ColourScheme }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (colorScheme !== scheme) setColorScheme(scheme);
  }, [scheme, colorScheme, setColorScheme]);
  return null;
}

export function LookProvider({ scheme, children }: { scheme: ColourScheme; children: ReactNode }) {
  const [manager] = useState(() => schemeOf(scheme));
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={manager}
      defaultColorScheme={scheme}
      getStyleNonce={readStyleNonce}
    >
      <FollowScheme scheme={scheme} />
      {children}
    </MantineProvider>
  );
}
