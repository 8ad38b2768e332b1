import type { ComponentType } from 'react';
import type { ScreenId } from './routes.tsx';

/** Each screen and the feature that draws it; a place without one is grey in the navigation. Features import none of each other. */
export const screens: Partial<Record<ScreenId, ComponentType>> = {};
